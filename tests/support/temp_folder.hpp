#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "experiments/files/scratch_folder.hpp"

namespace bloometry::test {

/// A new empty folder that is deleted at the end of the test.
class TempFolder {
 public:
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_.path() / name;
  }

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_{"bloometry-test-"};
};

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace bloometry::test
