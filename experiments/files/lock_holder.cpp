#include "experiments/files/lock_holder.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fmt/core.h>
#include <fstream>
#include <sstream>

#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

/// Returns the name of a file in /proc/locks: the device and the inode.
std::string name_in_locks(const FileDescriptor& file) {
  struct stat status {};

  if (::fstat(file.get(), &status) != 0) return {};
  return fmt::format("{:02x}:{:02x}:{}", ::major(status.st_dev), ::minor(status.st_dev),
                     status.st_ino);
}

/// Returns the id of the process in a line such as `1: FLOCK  ADVISORY  WRITE 12 08:01:34 0 EOF`,
/// or 0 if the line is about another file. A waiting process has `->` in place of FLOCK.
long holder_in(const std::string& line, const std::string& file) {
  std::istringstream words(line);
  std::string number;
  std::string kind;
  std::string mode;
  std::string access;
  long process = 0;
  std::string name;
  words >> number >> kind >> mode >> access >> process >> name;
  return words && kind == "FLOCK" && name == file ? process : 0;
}

std::string name_of_process(long process) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(file, name);
  return printable(name, kMaxShownValue);
}

}  // namespace

std::string holder_of_lock(const FileDescriptor& file) {
  const std::string wanted = name_in_locks(file);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    const long process = holder_in(line, wanted);
    if (process <= 0) continue;  // 0 in another container
    const std::string name = name_of_process(process);
    return fmt::format("process {}{}", process, name.empty() ? "" : fmt::format(" ({})", name));
  }
  return "another process";
}

}  // namespace bloometry
