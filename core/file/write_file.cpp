#include "core/file/write_file.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/file/temporary_file.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// Number of symbolic links in a row that Linux follows.
constexpr int kMostLinks = 40;

[[noreturn]] void refuse_loop(const fs::path& path) {
  throw ConfigError(path.string() + " must be a regular file, got a symbolic link in a loop");
}

/// Open folder that the destructor closes.
class OpenFolder {
 public:
  OpenFolder(FileCalls& calls, const fs::path& path)
      : calls_(calls), fd_(calls.open_folder(path)) {}

  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  ~OpenFolder() {
    if (fd_ >= 0) calls_.close(fd_);
  }

  [[nodiscard]] int fd() const noexcept { return fd_; }

  [[nodiscard]] int close() { return calls_.close(std::exchange(fd_, -1)); }

 private:
  FileCalls& calls_;
  int fd_;
};

/// Throws an error for a call that fails after the new file has replaced the old file.
[[noreturn]] void fail_in_place(const fs::path& path, const char* what) {
  throw IoError("the new file " + path.string() +
                " is in place, but a power failure may undo it: " + what + ": " +
                std::strerror(errno));
}

/// Returns the name that a link to a missing file, or a chain of such links, leads to.
fs::path missing_target(const fs::path& path) {
  fs::path target = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target;
    target = target.parent_path() / next;
  }
  refuse_loop(path);
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
  if (error == std::errc::too_many_symbolic_link_levels) refuse_loop(path);
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
  require_regular_file(path);
  const fs::path target = fs::canonical(path, error);
  if (!error) return target;
  // A link in /proc/self/fd opens a deleted file, but its text is not the name of a file.
  if (fs::exists(path, error)) {
    throw ConfigError(path.string() + " must be a file with a name, got a deleted file");
  }
  return missing_target(path);
}

void replace_file(const fs::path& name, std::span<const std::string_view> parts, FileCalls& calls) {
  const fs::path path = without_link(name);
  require_regular_file(path);
  OpenFolder folder(calls, path.has_parent_path() ? path.parent_path() : ".");
  if (folder.fd() < 0) {
    throw IoError("cannot write " + path.string() + ": " + std::strerror(errno));
  }
  calls.remove_abandoned(folder.fd());
  TemporaryFile file(calls, folder.fd(), path);
  for (const std::string_view part : parts) file.write(part);
  file.finish();
  file.replace();
  if (calls.fsync(folder.fd()) != 0) fail_in_place(path, "cannot sync its folder");
  if (file.close() != 0) fail_in_place(path, "cannot close it");
  if (folder.close() != 0) fail_in_place(path, "cannot close its folder");
}

}  // namespace bloometry
