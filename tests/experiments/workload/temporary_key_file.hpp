#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "experiments/text/content_hash.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry::test {

/// A key file with the given bytes, which is deleted at the end of the test.
class TemporaryKeyFile {
 public:
  explicit TemporaryKeyFile(std::string_view content)
      : path_(std::filesystem::temp_directory_path() /
              ("bloometry_keys_" + std::to_string(::getpid()) + "_" + std::to_string(next_++))),
        content_(content) {
    write(content);
  }

  TemporaryKeyFile(const TemporaryKeyFile&) = delete;
  TemporaryKeyFile& operator=(const TemporaryKeyFile&) = delete;

  ~TemporaryKeyFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  void write(std::string_view content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] KeySource source() const {
    return {KeySource::Kind::kFile, "file:keys.txt", path_.string(), content_hash(content_)};
  }

 private:
  static inline std::atomic<int> next_{0};
  std::filesystem::path path_;
  std::string content_;
};

/// Returns the lines `line 0` to `line count-1`.
inline std::string numbered_lines(std::uint64_t count) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

}  // namespace bloometry::test
