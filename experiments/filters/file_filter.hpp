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

/// A filter stored in a file, in the format of bloometry or of another program. Its keys are bytes.
class FileFilter {
 public:
  FileFilter() = default;
  FileFilter(const FileFilter&) = delete;
  FileFilter& operator=(const FileFilter&) = delete;
  virtual ~FileFilter() = default;

  /// Inserts the keys. @throws ConfigError if the filter is full, or its hash is unknown.
  virtual void insert(std::span<const KeyView> keys) = 0;

  /// Sets answers[i] to contains(keys[i]); both spans have the same length. Several threads may
  /// call it at once.
  virtual void contains(std::span<const KeyView> keys, std::span<bool> answers) const = 0;

  /// Returns the notes of the file; inserts do not update num_inserted.
  [[nodiscard]] virtual FileNotes notes() const = 0;

  /// Sets the notes. @throws ConfigError if the format cannot store them.
  virtual void set_notes(const FileNotes& notes) = 0;

  [[nodiscard]] virtual FilterFacts facts() const = 0;

  /// Adds the keys of the other filter. The notes of both files on their keys are dropped.
  /// @throws ConfigError if the filters differ in anything but keys, or the format cannot merge.
  virtual void merge(const FileFilter& other) = 0;

  /// Keeps the keys that both filters contain. @throws as merge.
  virtual void intersect(const FileFilter& other) = 0;

  /// Returns the size whose divisors above 1 are the possible divisors of fold().
  /// @throws ConfigError if the filter does not fold.
  [[nodiscard]] virtual std::uint64_t foldable_size() const = 0;

  /// Returns the filter of the same keys with 1/divisor of the cells.
  /// @throws ConfigError if it does not fold, or not by this divisor.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const = 0;

  /// Returns its cells, store by store, to compare two filters of one size.
  [[nodiscard]] virtual std::vector<std::span<const std::uint64_t>> cells() const = 0;

  /// Returns the filter in another format, with the same answers.
  /// @throws ConfigError if the other format has other hashes or indices.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> converted(std::string_view format) const = 0;

  /// Replaces a file atomically. @throws ConfigError; IoError, leaving the old file
  virtual void write(const std::filesystem::path& path) const = 0;
};

}  // namespace bloometry
