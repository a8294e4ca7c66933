#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash/key_view.hpp"
#include "experiments/filter_files/filter_facts.hpp"

namespace bloometry {

/// A filter in a file, in the format of bloometry or of another program. A key of a FileFilter is a
/// byte string.
class FileFilter {
 public:
  FileFilter() = default;
  FileFilter(const FileFilter&) = delete;
  FileFilter& operator=(const FileFilter&) = delete;
  virtual ~FileFilter() = default;

  /// Inserts the keys. Returns the number of keys that the filter did not contain before.
  /// @throws ConfigError if the filter of another program is full, or if its hash is not available.
  /// @throws FullError if a limited filter of this library has no room for a key.
  virtual std::uint64_t insert(std::span<const KeyView> keys) = 0;

  /// Throws ConfigError naming the variants that can erase if the filter cannot.
  virtual void require_erasable() const = 0;

  /// Erases each key in turn. Sets answers[i] to whether keys[i] was present and was erased. A key
  /// that is a false positive counts as present, and erasing it may make another key absent.
  /// @throws ConfigError as require_erasable() does, or if the hash is not available.
  virtual void erase(std::span<const KeyView> keys, std::span<bool> answers) = 0;

  /// Sets answers[i] to contains(keys[i]). The spans `keys` and `answers` have the same length.
  /// Several threads may call contains() concurrently.
  virtual void contains(std::span<const KeyView> keys, std::span<bool> answers) const = 0;

  /// Returns the notes of the file. insert() does not update FileNotes::num_inserted.
  [[nodiscard]] virtual FileNotes notes() const = 0;

  /// Sets the notes. The function ignores the notes if the format cannot store them.
  virtual void set_notes(const FileNotes& notes) = 0;

  /// Returns the facts about the filter without its rates, which may take a second to compute.
  /// @param num_inserted number of inserted keys, if the caller knows it; a number in the file has
  /// precedence
  [[nodiscard]] virtual FilterFacts description(
      std::optional<std::uint64_t> num_inserted = std::nullopt) const = 0;

  /// Returns the facts about the filter with its rates.
  [[nodiscard]] FilterFacts facts(std::optional<std::uint64_t> num_inserted = std::nullopt) const {
    FilterFacts facts = description(num_inserted);
    add_rates(facts);
    return facts;
  }

  /// Adds the keys of the other filter. merge() drops the note FileNotes::num_inserted. A count of
  /// keys in a file of another program becomes an estimate.
  /// @throws ConfigError if the filters differ in more than their keys, or if the format does not
  /// support merge().
  virtual void merge(const FileFilter& other) = 0;

  /// Clears the cells that are not set in the other filter. The result still contains all keys that
  /// are in both filters. @throws ConfigError as merge() does.
  virtual void intersect(const FileFilter& other) = 0;

  /// Moves the stored keys into a filter with more room, without the keys. The answers stay the
  /// same.
  /// @throws ConfigError if the format or the variant does not support grow(), or if a larger
  /// filter is not possible.
  virtual void grow() = 0;

  /// Rotates the generations of a filter that forgets.
  /// @throws ConfigError naming the variants that forget if the format or the variant does not
  virtual void tick() = 0;

  /// Returns the number whose divisors are the divisors that fold() accepts: the number of blocks,
  /// the number of cells per slice (1 if slices differ in length), or the number of cells. For
  /// RedisBloom, the result is the greatest common divisor of the numbers of the links.
  /// @throws ConfigError if the filter does not support fold().
  [[nodiscard]] virtual std::uint64_t foldable_size() const = 0;

  /// Returns a filter of the same keys with 1/divisor of the cells.
  /// @throws ConfigError if the filter does not support fold(), or does not accept this divisor.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const = 0;

  /// Returns the cells as one span per store. Filters of the same size can be compared by their
  /// cells.
  [[nodiscard]] virtual std::vector<std::span<const std::uint64_t>> cells() const = 0;

  /// Returns a filter in another format that gives the same answers.
  /// @throws ConfigError if the other format has other hashes or indices.
  [[nodiscard]] virtual std::unique_ptr<FileFilter> converted(std::string_view format) const = 0;

  /// Writes the filter to a file and replaces an existing file atomically. If the function throws,
  /// the old file is unchanged. @throws ConfigError; IoError
  virtual void write(const std::filesystem::path& path) const = 0;

 private:
  /// Sets the rates of facts that description() returned.
  virtual void add_rates(FilterFacts& facts) const = 0;
};

}  // namespace bloometry
