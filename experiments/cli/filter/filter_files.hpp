#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/files/file_lock.hpp"
#include "experiments/filter_files/file_filter.hpp"
#include "experiments/filter_files/open_filter.hpp"

namespace bloometry {

/// Opens a filter file. Throws ConfigError with the name of an invalid file, IoError or
/// MemoryError.
[[nodiscard]] std::unique_ptr<FileFilter> open_filter(const FilterInput& input);

/// Throws ConfigError unless `--to name` is the format of a filter file.
void require_file_format(const std::string& name);

/// An output file of a command. The constructor checks the path, so that a missing folder is
/// reported before the command reads keys for an hour.
class FilterOutput {
 public:
  /// Checks that the file can be created or replaced.
  /// @param option the option or argument that gives the path, for errors
  /// @throws ConfigError if the file cannot be created.
  explicit FilterOutput(const std::filesystem::path& path, const char* option = "--out");

  /// Locks an existing file for the lifetime of this object (FileLock), so that no other command
  /// changes the file between a read and write(). Prints a message after a second of waiting.
  /// @param limit most time to wait; absent: no limit
  /// @throws IoError if the file is still locked then, or cannot be locked
  void lock(std::optional<std::chrono::seconds> limit = std::nullopt);

  /// Checks that the file differs from all inputs and from the file with the secret. The input `-`
  /// is standard input.
  /// @throws ConfigError if the file is one of these files, also under another name.
  void require_other_than(std::span<const std::filesystem::path> inputs,
                          const std::optional<std::filesystem::path>& secret = {}) const;

  /// Replaces the file, after the commands that have locked it.
  /// @throws IoError if a program has changed the file since lock()
  void write(const FileFilter& filter) const;

  /// Does the same for a file of text.
  void write(std::string_view text) const;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Returns `FILE was not written`, or a note that the existing FILE is unchanged.
  [[nodiscard]] static std::string kept_text(const std::filesystem::path& path);

 private:
  std::filesystem::path path_;
  /// Calls write_to(path()) under a lock.
  template <class WriteTo>
  void write_locked(WriteTo write_to) const;

  const char* option_;
  std::optional<FileLock> lock_{};
};

[[nodiscard]] nlohmann::ordered_json to_json(const FilterFacts& facts);

/// Adds the result of the check of m and k, if the caller gave m and k.
void add_sizes_check(nlohmann::ordered_json& json, const std::optional<SizesCheck>& check);

/// Prints a message about a bitmap whose m and k could not be checked.
/// @param name file or Redis key of the bitmap
void print_unchecked_sizes(const std::string& name, const std::optional<SizesCheck>& check);

/// Does the same for a filter from a file.
void print_unchecked_sizes(const std::filesystem::path& path, const FileFilter& filter);

/// Prints a warning about an intersection if the format of its file cannot store that the filter is
/// one.
void warn_of_lost_mark(const FileFilter& intersection);

}  // namespace bloometry
