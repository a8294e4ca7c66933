#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/any_filter/any_filter.hpp"
#include "core/file/file_header.hpp"
#include "core/file/filter_image.hpp"
#include "experiments/filter_files/file_filter.hpp"
#include "experiments/filter_files/filter_hash.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// A filter of this library, in its own file format (core/file/README.md).
class BloometryFilter final : public FileFilter {
 public:
  static constexpr std::string_view kFormat = "bloometry";

  /// Stores the parts of the filter. @param hash hash of the keys; a filter without a hash can be
  /// inspected, but neither queried nor filled
  BloometryFilter(AnyFilter filter, std::optional<FilterHash> hash, FileHeader header);

  /// Reads a file. If the hash needs a secret and `secret` is absent, the filter has no usable
  /// hash.
  /// @throws ConfigError naming the file, IoError or MemoryError
  static std::unique_ptr<BloometryFilter> load(const std::filesystem::path& path,
                                               std::optional<SipHashKey> secret);

  [[nodiscard]] const AnyFilter& filter() const noexcept { return filter_; }

  /// Returns the header that write() would write.
  [[nodiscard]] FileHeader header() const;

  /// Returns the header and a view of the cells, which is valid for the lifetime of this object.
  [[nodiscard]] FilterImage image() const;

  /// Returns whether a key has the same digest in both filters.
  [[nodiscard]] bool has_hash_of(const BloometryFilter& other) const noexcept;

  std::uint64_t insert(std::span<const KeyView> keys) override;
  void require_erasable() const override;
  void erase(std::span<const KeyView> keys, std::span<bool> answers) override;
  void contains(std::span<const KeyView> keys, std::span<bool> answers) const override;

  [[nodiscard]] FileNotes notes() const override { return notes_; }

  void set_notes(const FileNotes& notes) override { notes_ = notes; }

  [[nodiscard]] FilterFacts description(
      std::optional<std::uint64_t> num_inserted = std::nullopt) const override;
  void merge(const FileFilter& other) override;
  void intersect(const FileFilter& other) override;
  [[nodiscard]] std::uint64_t foldable_size() const override;
  void grow() override;
  void tick() override;
  [[nodiscard]] std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const override;
  [[nodiscard]] std::vector<std::span<const std::uint64_t>> cells() const override;
  [[nodiscard]] std::unique_ptr<FileFilter> converted(std::string_view format) const override;
  void write(const std::filesystem::path& path) const override;

 private:
  void add_rates(FilterFacts& facts) const override;
  [[nodiscard]] const FilterHash& known_hash() const;
  const BloometryFilter& like(const FileFilter& other) const;

  AnyFilter filter_;
  std::optional<FilterHash> hash_;
  FileHeader named_;  // hash named in the file, even if its secret was not given
  FileNotes notes_;
};

}  // namespace bloometry
