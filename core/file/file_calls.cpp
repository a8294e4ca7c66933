#include "core/file/file_calls.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "core/file/temporary_names.hpp"

namespace bloometry {
namespace {

constexpr ::mode_t kPermissions = 0777;

std::string path_of(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

/// Gives the file the owner and the group of `wanted` if the system allows it. Only root may change
/// the owner; others may change the group to one of their own.
void take_owner(int fd, const struct stat& status, const struct stat& wanted) {
  if (wanted.st_uid == status.st_uid && wanted.st_gid == status.st_gid) return;
  if (::fchown(fd, wanted.st_uid, wanted.st_gid) == 0) return;
  static_cast<void>(!::fchown(fd, static_cast<::uid_t>(-1), wanted.st_gid));
}

}  // namespace

int FileCalls::open_folder(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void FileCalls::remove_abandoned(int folder) {
  remove_abandoned_files(folder);
}

int FileCalls::open_unnamed(int folder) {
  const int fd = ::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (fd < 0 || ::access(path_of(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);  // without /proc, link() cannot name the file
  errno = EOPNOTSUPP;
  return -1;
}

int FileCalls::create(int folder, const char* name) {
  return ::openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int FileCalls::draw(std::uint64_t& bits) {
  return ::getentropy(&bits, sizeof bits);
}

int FileCalls::lock(int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
  // A file system without locks: remove_abandoned() cannot lock a file either, and removes none.
  return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
}

int FileCalls::find(int folder, const char* name) {
  struct stat status {};

  return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW);
}

int FileCalls::copy_permissions(int fd, int folder, const char* like) {
  struct stat wanted {};

  struct stat status {};

  if (::fstatat(folder, like, &wanted, 0) != 0) return errno == ENOENT ? 0 : -1;
  if (::fstat(fd, &status) != 0) return -1;
  take_owner(fd, status, wanted);
  // Some file systems refuse every fchmod, but give all files the same permissions.
  if (((wanted.st_mode ^ status.st_mode) & kPermissions) == 0) return 0;
  return ::fchmod(fd, wanted.st_mode & kPermissions);
}

std::ptrdiff_t FileCalls::write(int fd, const void* bytes, std::size_t size) {
  return ::write(fd, bytes, size);
}

int FileCalls::duplicate(int fd) {
  return ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int FileCalls::link(int fd, int folder, const char* name) {
  return ::linkat(AT_FDCWD, path_of(fd).c_str(), folder, name, AT_SYMLINK_FOLLOW);
}

int FileCalls::fsync(int fd) {
  return ::fsync(fd);
}

int FileCalls::rename(int folder, const char* from, const char* to) {
  return ::renameat(folder, from, folder, to);
}

int FileCalls::unlink(int folder, const char* name) {
  return ::unlinkat(folder, name, 0);
}

int FileCalls::close(int fd) {
  return ::close(fd);
}

FileCalls& system_file_calls() noexcept {
  static FileCalls calls;
  return calls;
}

}  // namespace bloometry
