#include "core/file/file_calls.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace bloometry {

int FileCalls::create(const std::filesystem::path& path, const std::filesystem::path& like) {
  // The file is removed first, because another user may have created a link under the name. The
  // call unlink() does not follow links.
  ::unlink(path.c_str());
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  struct stat status {};

  if (fd >= 0 && ::stat(like.c_str(), &status) == 0) {
    static_cast<void>(::fchmod(fd, status.st_mode & 0777));
  }
  return fd;
}

int FileCalls::open_folder(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

std::ptrdiff_t FileCalls::write(int fd, const void* bytes, std::size_t size) {
  return ::write(fd, bytes, size);
}

int FileCalls::fsync(int fd) {
  return ::fsync(fd);
}

int FileCalls::close(int fd) {
  return ::close(fd);
}

int FileCalls::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  return std::rename(from.c_str(), to.c_str());
}

int FileCalls::unlink(const std::filesystem::path& path) {
  return ::unlink(path.c_str());
}

FileCalls& system_file_calls() noexcept {
  static FileCalls calls;
  return calls;
}

}  // namespace bloometry
