#include "core/file/temporary_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "core/file/temporary_names.hpp"

namespace bloometry {
namespace {

/// Number of names that are tried. If the folder has N temporary files, a name is taken with
/// probability N / 2^64. The second name is therefore used only if the random numbers are not
/// random.
constexpr int kMostNames = 100;

}  // namespace

TemporaryFile::TemporaryFile(FileCalls& calls, int folder, const std::filesystem::path& target)
    : calls_(calls), folder_(folder), target_(target), target_name_(target.filename().string()) {
  try {
    open_without_name();
    if (fd_ < 0) create_under_new_name();
    if (calls_.copy_permissions(fd_, folder_, target_name_.c_str()) != 0) fail("write");
  } catch (...) {
    discard();
    throw;
  }
}

TemporaryFile::~TemporaryFile() {
  discard();
}

void TemporaryFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    errno = EIO;  // for a file system that writes 0 bytes
    const std::ptrdiff_t num_written = calls_.write(fd_, bytes.data(), bytes.size());
    if (num_written < 0 && errno == EINTR) continue;
    if (num_written <= 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(num_written));
  }
}

void TemporaryFile::finish() {
  // Network file systems report errors at close. The duplicate keeps the lock.
  const int duplicate = calls_.duplicate(fd_);
  if (duplicate < 0 || calls_.close(std::exchange(fd_, duplicate)) != 0) fail("write");
  sync();
  if (!name_.empty()) return;
  link_under_new_name();
  sync();  // btrfs does not store the size of a file without a name
}

void TemporaryFile::replace() {
  if (calls_.rename(folder_, name_.c_str(), target_name_.c_str()) != 0) fail("replace");
  name_.clear();
}

int TemporaryFile::close() {
  return calls_.close(std::exchange(fd_, -1));
}

/// Opens a locked file without a name. Leaves fd_ negative if that is not possible.
void TemporaryFile::open_without_name() {
  fd_ = calls_.open_unnamed(folder_);
  if (fd_ >= 0 && calls_.lock(fd_) != 0) fail("write");
}

/// Creates a locked file under a temporary name. Another writer may lock and remove the file before
/// it is locked here; the function then creates another file.
void TemporaryFile::create_under_new_name() {
  for (int i = 0; i < kMostNames; ++i) {
    draw_name();
    fd_ = calls_.create(folder_, name_.c_str());
    if (fd_ < 0 && errno != EEXIST) fail("write");
    if (fd_ >= 0 && take_lock()) return;
    discard();
  }
  errno = EEXIST;
  fail("write");
}

/// Locks the file. Returns false if another writer has locked or removed the file.
bool TemporaryFile::take_lock() const {
  if (calls_.lock(fd_) != 0) {
    if (errno == EWOULDBLOCK) return false;
    fail("write");
  }
  if (calls_.find(folder_, name_.c_str()) == 0) return true;
  if (errno != ENOENT) fail("write");
  return false;
}

void TemporaryFile::link_under_new_name() {
  for (int i = 0; i < kMostNames; ++i) {
    draw_name();
    if (calls_.link(fd_, folder_, name_.c_str()) == 0) return;
    name_.clear();  // the name is not that of this file
    if (errno != EEXIST) fail("write");
  }
  errno = EEXIST;
  fail("write");
}

void TemporaryFile::draw_name() {
  std::uint64_t bits = 0;
  if (calls_.draw(bits) != 0) fail("write");
  name_ = temporary_name(bits);
}

void TemporaryFile::sync() const {
  if (calls_.fsync(fd_) != 0) fail("write");
}

/// Removes the name before the lock ends.
void TemporaryFile::discard() noexcept {
  if (fd_ < 0) return;
  if (!name_.empty()) calls_.unlink(folder_, name_.c_str());
  name_.clear();
  calls_.close(std::exchange(fd_, -1));
}

void TemporaryFile::fail(const char* what) const {
  throw IoError("cannot " + std::string(what) + " " + target_.string() + ": " +
                std::strerror(errno));
}

}  // namespace bloometry
