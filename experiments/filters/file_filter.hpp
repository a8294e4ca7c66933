#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/key/key_view.hpp"
#include "experiments/filters/filter_facts.hpp"

namespace bloometry {

/// A filter that is kept in a file, of bloometry or of another program. Its keys are bytes.
class FileFilter {
 public:
  FileFilter() = default;
  FileFilter(const FileFilter&) = delete;
  FileFilter& operator=(const FileFilter&) = delete;
  virtual ~FileFilter() = default;

  /// @throws ConfigError if the filter is full, or its hash is not known.
  virtual void insert(std::span<const KeyView> keys) = 0;

  /// answers[i] = contains(keys[i]); both spans have the same length. Several threads may ask.
  virtual void contains(std::span<const KeyView> keys, std::span<bool> answers) const = 0;

  /// What the file tells; num_inserted is not kept up to date by inserts.
  [[nodiscard]] virtual FileNotes notes() const = 0;

  /// @throws ConfigError if the format has no room for what is set.
  virtual void set_notes(const FileNotes& notes) = 0;

  [[nodiscard]] virtual FilterFacts facts() const = 0;

  /// Makes this the filter of the keys of both. What the files tell of their keys is forgotten.
  /// @throws ConfigError if they differ in anything but keys, or the format cannot merge.
  virtual void merge(const FileFilter& other) = 0;

  /// Keeps what both contain. As merge.
  virtual void intersect(const FileFilter& other) = 0;

  /// Sizes by which the filter may be divided are the divisors of this number above 1.
  /// @throws ConfigError if the filter does not fold.
  [[nodiscard]] virtual std::uint64_t foldable_size() const = 0;

  /// The filter of the same keys with a divisor-th of the cells.
  /// @throws ConfigError if it does not fold, or not by this divisor.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const = 0;

  /// Its cells, store by store: what differs between two filters of one size.
  [[nodiscard]] virtual std::vector<std::span<const std::uint64_t>> cells() const = 0;

  /// The filter in another format, with the same answers.
  /// @throws ConfigError if the other format has other hashes or indices.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> converted(std::string_view format) const = 0;

  /// Replaces a file as a whole. @throws ConfigError; IoError, leaving the old file
  virtual void write(const std::filesystem::path& path) const = 0;
};

}  // namespace bloometry
