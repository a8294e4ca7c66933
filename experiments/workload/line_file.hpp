#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/key/key_view.hpp"

namespace bloometry {

/// A file of keys, one per line, in memory. It cannot be copied or moved, because views point into
/// it.
///
/// A line ends at LF or at the end of the file. A CR before that end is not part of the key. An
/// empty line is a key, and NUL bytes are kept. A repeated line is dropped and counted. A final LF
/// does not start another, empty line.
class LineFile {
 public:
  /// Reads the file. @throws IoError naming the file if it cannot be read.
  explicit LineFile(const std::filesystem::path& path);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Returns the distinct lines, in the order of their first appearance.
  [[nodiscard]] const std::vector<KeyView>& lines() const noexcept { return lines_; }

  [[nodiscard]] std::uint64_t num_duplicates() const noexcept { return num_duplicates_; }

  /// Returns the XXH3-128 of all bytes of the file as 32 hex digits.
  [[nodiscard]] const std::string& content_hash() const noexcept { return content_hash_; }

 private:
  void split_lines();

  std::string content_;
  std::vector<KeyView> lines_;
  std::uint64_t num_duplicates_ = 0;
  std::string content_hash_;
};

/// Returns the line numbers of the file in the order of a trial's split. Lines are sorted by their
/// XXH3 with the split seed, and equal hashes by the lines themselves. Members come first, then
/// queries.
[[nodiscard]] std::vector<std::uint32_t> split_order(const LineFile& file,
                                                     std::uint64_t split_seed);

}  // namespace bloometry
