#include "experiments/servers/find_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bloometry {

std::filesystem::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/usr/bin:/bin" : path;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    std::filesystem::path program = std::filesystem::path(folder) / name;
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

}  // namespace bloometry
