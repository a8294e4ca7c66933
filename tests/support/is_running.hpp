#pragma once

#include <fstream>
#include <string>

namespace bloometry::test {

/// Returns whether the process runs. Returns false for a process that has ended but was not waited
/// for.
inline bool is_running(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return static_cast<bool>(stat >> number >> name >> state) && state != "Z";
}

}  // namespace bloometry::test
