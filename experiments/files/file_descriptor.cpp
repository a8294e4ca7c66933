#include "experiments/files/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <string>

#include "core/error.hpp"
#include "core/file/write_file.hpp"

namespace bloometry {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  throw IoError(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags)
    : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666)) {
  if (fd_ < 0) fail("open", path, errno);
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

void FileDescriptor::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t num_written = ::write(fd_, bytes.data(), bytes.size());
    if (num_written < 0 && errno == EINTR) continue;
    if (num_written < 0) fail("write", path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(num_written));
  }
}

void FileDescriptor::sync() {
  if (::fsync(fd_) != 0) fail("write", path_, errno);
}

void sync_folder(const std::filesystem::path& folder) {
  FileDescriptor(folder, O_RDONLY | O_DIRECTORY).sync();
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  const std::array<std::string_view, 1> parts = {text};
  replace_file(path, parts);
}

std::string read_file(const std::filesystem::path& path) {
  require_regular_file(path);
  const FileDescriptor file(path, O_RDONLY);
  std::string text;
  std::array<char, 1U << 16U> buffer{};
  while (true) {
    const ::ssize_t num_read = ::read(file.get(), buffer.data(), buffer.size());
    if (num_read < 0 && errno == EINTR) continue;
    if (num_read < 0) fail("read", path, errno);
    if (num_read == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(num_read));
  }
}

}  // namespace bloometry
