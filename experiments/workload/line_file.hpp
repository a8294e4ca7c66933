#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/key/key_view.hpp"

namespace bloometry {

/// A file of keys, one per line, in memory. Views point into it, so it cannot be copied or moved.
///
/// A line ends at LF or at the end of the file; a CR before either is not part of the key. The
/// empty line is a key, and NUL bytes are kept. Duplicates after the first are dropped and counted.
/// A final LF does not start another, empty line.
class LineFile {
 public:
  /// Reads the file. @throws IoError naming the file if it cannot be read.
  explicit LineFile(const std::filesystem::path& path);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Returns the distinct lines, in the order of their first appearance.
  [[nodiscard]] const std::vector<KeyView>& lines() const noexcept { return lines_; }

  [[nodiscard]] std::uint64_t num_duplicates() const noexcept { return num_duplicates_; }

  /// Returns 32 hex digits of the XXH3-128 of all bytes of the file.
  [[nodiscard]] const std::string& content_hash() const noexcept { return content_hash_; }

 private:
  void split_lines();

  std::string content_;
  std::vector<KeyView> lines_;
  std::uint64_t num_duplicates_ = 0;
  std::string content_hash_;
};

/// Returns the numbers of the file's lines in the order of a trial's split. Lines sort by their
/// XXH3 under the split seed, then by themselves. Members come first, then queries.
[[nodiscard]] std::vector<std::uint32_t> split_order(const LineFile& file,
                                                     std::uint64_t split_seed);

}  // namespace bloometry
