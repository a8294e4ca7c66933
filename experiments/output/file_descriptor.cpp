#include "experiments/output/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace bloometry {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  throw IoError("cannot " + std::string(what) + " " + path.string() + ": " + std::strerror(error));
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags)
    : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
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
  const std::filesystem::path beside = path.parent_path() / ("." + path.filename().string() + "." +
                                                             std::to_string(::getpid()) + ".tmp");
  try {
    FileDescriptor file(beside, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text);
    file.sync();
    if (std::rename(beside.c_str(), path.c_str()) != 0) fail("replace", path, errno);
  } catch (const IoError&) {
    ::unlink(beside.c_str());
    throw;
  }
  sync_folder(path.has_parent_path() ? path.parent_path() : ".");
}

std::string read_file(const std::filesystem::path& path) {
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
