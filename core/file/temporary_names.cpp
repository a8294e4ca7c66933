#include "core/file/temporary_names.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace bloometry {
namespace {

constexpr std::string_view kPrefix = ".bloometry-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kNumDigits = 16;

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool is_regular(int folder, const char* name, struct stat& status) {
  return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

/// Opens a file to lock it. NFS locks only files that are open for writing, and the owner may be
/// unable to open a read-only file for writing.
int open_to_lock(int folder, const char* name) {
  constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int fd = ::openat(folder, name, O_WRONLY | kFlags);
  return fd < 0 && errno == EACCES ? ::openat(folder, name, O_RDONLY | kFlags) : fd;
}

/// Returns whether the name belongs to the open file and no writer holds the file. After the
/// function has locked the file, no writer can rename it, so the name remains until it is removed.
bool is_abandoned(int fd, int folder, const char* name) {
  struct stat opened {};

  struct stat named {};

  return ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &opened) == 0 &&
         is_regular(folder, name, named) && is_same_file(opened, named);
}

void remove_if_abandoned(int folder, const char* name) {
  struct stat status {};

  if (!is_regular(folder, name, status)) return;
  const int fd = open_to_lock(folder, name);
  if (fd < 0) return;
  if (is_abandoned(fd, folder, name)) ::unlinkat(folder, name, 0);
  ::close(fd);
}

}  // namespace

std::string temporary_name(std::uint64_t bits) {
  std::string name(kPrefix);
  for (std::size_t i = kNumDigits; i-- > 0;) name += kDigits[bits >> (4 * i) & 0xfU];
  return name.append(kSuffix);
}

bool is_temporary_name(std::string_view name) noexcept {
  if (name.size() != kPrefix.size() + kNumDigits + kSuffix.size()) return false;
  const std::string_view digits = name.substr(kPrefix.size(), kNumDigits);
  return name.starts_with(kPrefix) && name.ends_with(kSuffix) &&
         digits.find_first_not_of(kDigits) == std::string_view::npos;
}

void remove_abandoned_files(int folder) noexcept {
  const int fd = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::DIR* const entries = ::fdopendir(fd);
  if (entries == nullptr) {
    ::close(fd);
    return;
  }
  while (const ::dirent* entry = ::readdir(entries)) {
    if (is_temporary_name(entry->d_name)) remove_if_abandoned(folder, entry->d_name);
  }
  ::closedir(entries);
}

}  // namespace bloometry
