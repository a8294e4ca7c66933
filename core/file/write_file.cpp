#include "core/file/write_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path, int error) {
  throw IoError("cannot " + std::string(what) + " " + path.string() + ": " + std::strerror(error));
}

/// Open file that the destructor closes.
class OpenFile {
 public:
  OpenFile(FileCalls& calls, int fd) : calls_(calls), fd_(fd) {}

  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  ~OpenFile() { calls_.close(fd_); }

  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  FileCalls& calls_;
  int fd_;
};

void write_all(FileCalls& calls, int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const std::ptrdiff_t num_written = calls.write(fd, bytes.data(), bytes.size());
    if (num_written < 0 && errno == EINTR) continue;
    if (num_written < 0) fail("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(num_written));
  }
}

void write_beside(FileCalls& calls, const fs::path& beside, const fs::path& path,
                  std::span<const std::string_view> parts) {
  const OpenFile file(calls, calls.create(beside, path));
  if (file.fd() < 0) fail("write", path, errno);
  for (const std::string_view part : parts) write_all(calls, file.fd(), part, path);
  if (calls.fsync(file.fd()) != 0) fail("write", path, errno);
}

void sync_folder_of(FileCalls& calls, const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const OpenFile file(calls, calls.open_folder(folder));
  if (file.fd() < 0 || calls.fsync(file.fd()) != 0) fail("sync the folder of", path, errno);
}

}  // namespace

const char* kind_text(fs::file_type type) {
  switch (type) {
    case fs::file_type::regular:
      return "a regular file";
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a FIFO";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "a device";
  }
}

void require_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_regular_file(status) || !fs::status_known(status)) return;
  refuse_kind(path);
}

void refuse_kind(const fs::path& path) {
  std::error_code error;
  throw ConfigError(path.string() + " must be a regular file, got " +
                    kind_text(fs::status(path, error).type()));
}

fs::path without_link(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target;
}

fs::path name_while_written(const fs::path& path) {
  return path.parent_path() /
         ("." + path.filename().string() + "." + std::to_string(::getpid()) + ".tmp");
}

void replace_file(const fs::path& name, std::span<const std::string_view> parts, FileCalls& calls) {
  const fs::path path = without_link(name);
  require_regular_file(path);
  const fs::path beside = name_while_written(path);
  try {
    write_beside(calls, beside, path, parts);
    if (calls.rename(beside, path) != 0) fail("replace", path, errno);
  } catch (const IoError&) {
    calls.unlink(beside);
    throw;
  }
  sync_folder_of(calls, path);
}

}  // namespace bloometry
