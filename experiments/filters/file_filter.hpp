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

/// A filter in a file, in the format of bloometry or of another program. Its keys are bytes.
class FileFilter {
 public:
  FileFilter() = default;
  FileFilter(const FileFilter&) = delete;
  FileFilter& operator=(const FileFilter&) = delete;
  virtual ~FileFilter() = default;

  /// Inserts the keys. @throws ConfigError if the filter is full, or its hash is not available.
  virtual void insert(std::span<const KeyView> keys) = 0;

  /// Sets answers[i] to contains(keys[i]). Both spans have the same length. Several threads may
  /// call it concurrently.
  virtual void contains(std::span<const KeyView> keys, std::span<bool> answers) const = 0;

  /// Returns the notes of the file. Inserts do not update num_inserted.
  [[nodiscard]] virtual FileNotes notes() const = 0;

  /// Sets the notes. @throws ConfigError if the format cannot store them.
  virtual void set_notes(const FileNotes& notes) = 0;

  [[nodiscard]] virtual FilterFacts facts() const = 0;

  /// Adds the keys of the other filter. Notes about the keys of either file are dropped.
  /// @throws ConfigError if the filters differ in more than their keys, or the format cannot merge.
  virtual void merge(const FileFilter& other) = 0;

  /// Keeps the cells that are set in both filters, so that all common keys are still found. @throws
  /// as merge().
  virtual void intersect(const FileFilter& other) = 0;

  /// Returns the number that a divisor of fold() must divide: the number of blocks (of cells for a
  /// filter without blocks), or the gcd of the links' bits. fold() may still reject such a divisor.
  /// @throws ConfigError if the filter does not support fold().
  [[nodiscard]] virtual std::uint64_t foldable_size() const = 0;

  /// Returns a filter of the same keys with 1/divisor of the cells.
  /// @throws ConfigError if the filter does not support fold(), or not with this divisor.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const = 0;

  /// Returns the cells, one span per store, for a comparison with a filter of the same size.
  [[nodiscard]] virtual std::vector<std::span<const std::uint64_t>> cells() const = 0;

  /// Returns the filter in another format, with the same answers.
  /// @throws ConfigError if the other format has other hashes or indices.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> converted(std::string_view format) const = 0;

  /// Replaces a file atomically. @throws ConfigError; IoError, leaving the old file unchanged
  virtual void write(const std::filesystem::path& path) const = 0;
};

}  // namespace bloometry
