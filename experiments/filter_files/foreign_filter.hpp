#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "core/text.hpp"
#include "experiments/filter_files/file_filter.hpp"
#include "experiments/filter_files/foreign_facts.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"
#include "variants/registry/registry.hpp"

/// The class of all filters of other programs, and the description of a file format. Only
/// foreign_filters.cpp and foreign_formats.cpp include this file.
namespace bloometry {

/// A file format of another program. The table in foreign_formats.cpp has a row for each format.
struct ForeignFileFormat {
  std::string_view name;  ///< as in --from and --to
  std::string_view hash;  ///< hash of the keys, as printed by `filter info`
  /// Returns an empty filter. The sizes give m in num_bits. @throws ConfigError naming a size
  std::unique_ptr<FileFilter> (*make)(const ForeignFileFormat& format, const SizeRequest& sizes);
  /// Returns the filter in a file. @throws ConfigError describing the error in the bytes
  std::unique_ptr<FileFilter> (*parse)(const ForeignFileFormat& format, std::string_view bytes,
                                       const SizeRequest& sizes);
  /// Returns the filter in the format `to`; null if no conversion is possible.
  std::unique_ptr<FileFilter> (*convert)(const FileFilter& filter, std::string_view to) = nullptr;
  bool is_json = false;  ///< whether files are the JSON form of the program's filter
};

/// An adapter from the filter class of another program's format to FileFilter.
template <class F>
class ForeignFilter final : public FileFilter {
 public:
  ForeignFilter(const ForeignFileFormat& format, F filter)
      : format_(&format), filter_(std::move(filter)) {}

  /// Returns the filter in `file` if its class is F, otherwise null.
  static const F* in(const FileFilter& file) noexcept {
    const auto* const found = dynamic_cast<const ForeignFilter*>(&file);
    return found == nullptr ? nullptr : &found->filter_;
  }

  void require_erasable() const override {
    throw ConfigError(fmt::format("files of {} cannot erase keys; variants that can: {}",
                                  format_->name, joined(variants_that_can(Operation::kErase))));
  }

  void grow() override {
    throw ConfigError(fmt::format("files of {} cannot be grown; variants that can: {}",
                                  format_->name, joined(growable_variants())));
  }

  void tick() override {
    throw ConfigError(fmt::format("files of {} do not forget; variants that do: {}", format_->name,
                                  joined(variants_that_can(Operation::kTick))));
  }

  void erase(std::span<const KeyView> /*keys*/, std::span<bool> /*answers*/) override {
    require_erasable();
  }

  std::uint64_t insert(std::span<const KeyView> keys) override {
    std::uint64_t num_new = 0;
    for (const KeyView key : keys) num_new += insert_key(text_of(key)) ? 1 : 0;
    return num_new;
  }

  void contains(std::span<const KeyView> keys, std::span<bool> answers) const override {
    for (std::size_t i = 0; i < keys.size(); ++i) answers[i] = filter_.contains(text_of(keys[i]));
  }

  [[nodiscard]] FileNotes notes() const override { return description().notes; }

  // Formats of other programs do not store notes; notes() computes the notes from the filter.
  void set_notes(const FileNotes& /*notes*/) override {}

  [[nodiscard]] FilterFacts description(
      std::optional<std::uint64_t> num_inserted = std::nullopt) const override {
    FilterFacts facts{.format = std::string(format_->name), .hash = std::string(format_->hash)};
    facts.notes.num_inserted = num_inserted;
    describe(filter_, facts);
    facts.set_num_keys();
    return facts;
  }

  void merge(const FileFilter& other) override { filter_.merge(like(other)); }

  void intersect(const FileFilter& other) override { filter_.intersect(like(other)); }

  [[nodiscard]] std::uint64_t foldable_size() const override {
    if constexpr (requires { filter_.links(); }) {
      std::uint64_t size = 0;
      for (const RedisBloomLink& link : filter_.links()) {
        size = std::gcd(size, link.shape().foldable_size());
      }
      return size;
    } else if constexpr (requires { filter_.fold(1); }) {
      return filter_.num_blocks();
    } else {
      refuse("folded");
    }
  }

  [[nodiscard]] std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const override {
    if constexpr (requires { filter_.fold(divisor); }) {
      return std::make_unique<ForeignFilter>(*format_, filter_.fold(divisor));
    }
    refuse("folded");
  }

  [[nodiscard]] std::vector<std::span<const std::uint64_t>> cells() const override {
    if constexpr (requires { filter_.links(); }) {
      std::vector<std::span<const std::uint64_t>> cells;
      for (const RedisBloomLink& link : filter_.links()) cells.push_back(link.bits().words());
      return cells;
    } else {
      return {filter_.bits().words()};
    }
  }

  [[nodiscard]] std::unique_ptr<FileFilter> converted(std::string_view to) const override {
    if (format_->convert == nullptr) refuse_conversion(format_->name, to);
    return format_->convert(*this, to);
  }

  void write(const std::filesystem::path& path) const override {
    const std::string bytes = file_bytes();
    const std::array<std::string_view, 1> parts = {bytes};
    replace_file(path, parts);
  }

 private:
  static std::string_view text_of(KeyView key) { return {key.data(), key.size()}; }

  bool insert_key(std::string_view key) {
    if constexpr (requires { filter_.links(); }) {
      const RedisBloomReply reply = filter_.insert(key);
      if (reply != RedisBloomReply::kFull) return reply == RedisBloomReply::kAdded;
      throw ConfigError(fmt::format(
          "the filter of redisbloom is full: it does not scale, and its capacity is {} keys",
          grouped(filter_.links().front().shape().capacity)));
    } else {
      return filter_.insert(key);
    }
  }

  [[nodiscard]] std::string file_bytes() const {
    if constexpr (requires { filter_.serialize_json(); }) {
      if (format_->is_json) return filter_.serialize_json();
    }
    return filter_.serialize();
  }

  void add_rates(FilterFacts& facts) const override { bloometry::add_rates(filter_, facts); }

  /// Returns the filter in another file of the same format.
  const F& like(const FileFilter& other) const {
    if (const F* const theirs = in(other)) return *theirs;
    throw ConfigError(fmt::format("the second file must have the format {}, got {}", format_->name,
                                  other.description().format));
  }

  [[noreturn]] void refuse(const char* what) const {
    throw ConfigError(fmt::format("files of {} cannot be {}", format_->name, what));
  }

  const ForeignFileFormat* format_;
  F filter_;
};

template <class F>
[[nodiscard]] std::unique_ptr<FileFilter> foreign(const ForeignFileFormat& format, F filter) {
  return std::make_unique<ForeignFilter<F>>(format, std::move(filter));
}

/// Returns the row of the format. @throws ConfigError naming `field` if the name is unknown.
[[nodiscard]] const ForeignFileFormat& foreign_file_format(const char* field,
                                                           std::string_view name);

}  // namespace bloometry
