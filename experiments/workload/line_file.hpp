#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/hash/key_view.hpp"

namespace bloometry {

/// A file of keys in memory, with one key per line. A LineFile cannot be copied or moved, because
/// views point into its buffer.
///
/// A line ends at LF or at the end of the file. A CR before the end of a line is not part of the
/// key. An empty line is a key, and a key may contain NUL bytes. The constructor drops and counts
/// repeated lines. An LF at the end of the file does not start an additional empty line. The file
/// may be compressed by gzip or zstd, and may be text in UTF-16 or UTF-32 (KeyInput). A byte order
/// mark is removed. A line is at most 16 MiB long.
class LineFile {
 public:
  /// Reads the file. @throws IoError naming the file if the file cannot be read or is damaged
  explicit LineFile(const std::filesystem::path& path);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Returns the distinct lines, in the order of their first appearance.
  [[nodiscard]] const std::vector<KeyView>& lines() const noexcept { return lines_; }

  [[nodiscard]] std::uint64_t num_duplicates() const noexcept { return num_duplicates_; }

  /// Returns the notes of the reader, such as `keys.txt: removed the byte order mark of utf-8`.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

  /// Returns the XXH3-128 of the file's text as 32 hex digits. The text of a file that is neither
  /// compressed nor converted consists of all bytes of the file, except for a byte order mark.
  [[nodiscard]] const std::string& content_hash() const noexcept { return content_hash_; }

 private:
  void split_lines();

  std::vector<std::string> notes_;  // before content_, whose initializer adds notes
  std::string content_;
  std::vector<KeyView> lines_;
  std::uint64_t num_duplicates_ = 0;
  std::string content_hash_;
};

/// Returns the line numbers of the file in the order of a trial's split. A split sorts lines by
/// their XXH3 hash with the split seed. Lines with equal hashes are sorted by their bytes. In
/// this order, the members precede the queries.
[[nodiscard]] std::vector<std::uint32_t> split_order(const LineFile& file,
                                                     std::uint64_t split_seed);

}  // namespace bloometry
