// Tests that a failure of any system call is reported when a file is replaced on a real disk. Other
// writers of the folder are simulated between two calls.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file/temporary_names.hpp"
#include "core/file/write_file.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// System calls of which one fails. A call has its effect before it fails if that is possible, so
/// that a caller that ignores the failure would succeed.
class FailingCalls : public FileCalls {
 public:
  /// @param has_unnamed whether files without a name are supported
  /// @param failing number of the call that fails, from 0
  FailingCalls(bool has_unnamed, std::size_t failing, int error)
      : has_unnamed_(has_unnamed), failing_(failing), error_(error) {}

  /// Returns the names of the calls so far, in order.
  [[nodiscard]] const std::vector<std::string>& made() const { return made_; }

  int open_folder(const std::filesystem::path& path) override {
    return counted_open("open_folder", FileCalls::open_folder(path));
  }

  int open_unnamed(int folder) override {
    if (has_unnamed_) return FileCalls::open_unnamed(folder);
    errno = EOPNOTSUPP;
    return -1;
  }

  int create(int folder, const char* name) override {
    if (is_next()) return counted("create", -1);
    return counted("create", FileCalls::create(folder, name));
  }

  int draw(std::uint64_t& bits) override { return counted("draw", FileCalls::draw(bits)); }

  int lock(int fd) override { return counted("lock", FileCalls::lock(fd)); }

  int find(int folder, const char* name) override {
    return counted("find", FileCalls::find(folder, name));
  }

  int copy_permissions(int fd, int folder, const char* like) override {
    return counted("copy_permissions", FileCalls::copy_permissions(fd, folder, like));
  }

  std::ptrdiff_t write(int fd, const void* bytes, std::size_t size) override {
    // Most of the calls write only a part.
    const std::size_t part = size > 2 ? size / 2 : size;
    return is_next() ? counted("write", -1)
                     : counted("write", static_cast<int>(FileCalls::write(fd, bytes, part)));
  }

  int duplicate(int fd) override { return counted_open("duplicate", FileCalls::duplicate(fd)); }

  int link(int fd, int folder, const char* name) override {
    return is_next() ? counted("link", -1) : counted("link", FileCalls::link(fd, folder, name));
  }

  int fsync(int fd) override { return counted("fsync", FileCalls::fsync(fd)); }

  int rename(int folder, const char* from, const char* to) override {
    if (is_next()) return counted("rename", -1);
    is_renamed_ = true;
    return counted("rename", FileCalls::rename(folder, from, to));
  }

  int close(int fd) override { return counted("close", FileCalls::close(fd)); }

  [[nodiscard]] bool is_renamed() const { return is_renamed_; }

 private:
  [[nodiscard]] bool is_next() const { return made_.size() == failing_; }

  int counted(const char* name, int result) {
    const bool fails = is_next();
    made_.emplace_back(name);
    if (!fails) return result;
    errno = error_;
    return -1;
  }

  int counted_open(const char* name, int fd) {
    if (is_next()) FileCalls::close(fd);
    return counted(name, fd);
  }

  bool has_unnamed_;
  std::size_t failing_;
  int error_;
  std::vector<std::string> made_;
  bool is_renamed_ = false;
};

constexpr std::size_t kNoCall = ~std::size_t{0};
const std::string kOldBytes = "old";
const std::string kNewBytes = "the new file";

void replace(const std::filesystem::path& path, FileCalls& calls) {
  const std::array<std::string_view, 2> parts = {"the new", " file"};
  replace_file(path, parts, calls);
}

int num_descriptors() {
  int num = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    num += entry.path().empty() ? 0 : 1;
  }
  return num;
}

/// Calls of a writer that cannot lock its first two files. Another writer has removed the first
/// file and locked the second.
class LateCalls final : public FileCalls {
 public:
  int open_unnamed(int /*folder*/) override {
    errno = EOPNOTSUPP;
    return -1;
  }

  int create(int folder, const char* name) override {
    const int fd = FileCalls::create(folder, name);
    if (++num_created == 1) remove_abandoned_files(folder);
    if (num_created == 2) other_ = ::openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (num_created == 2) CHECK(::flock(other_, LOCK_EX | LOCK_NB) == 0);
    return fd;
  }

  ~LateCalls() override { ::close(other_); }

  int num_created = 0;

 private:
  int other_ = -1;
};

/// Calls that draw each number three times.
class RepeatingCalls final : public FileCalls {
 public:
  explicit RepeatingCalls(bool has_unnamed) : has_unnamed_(has_unnamed) {}

  int open_unnamed(int folder) override {
    if (has_unnamed_) return FileCalls::open_unnamed(folder);
    errno = EOPNOTSUPP;
    return -1;
  }

  int draw(std::uint64_t& bits) override {
    bits = num_drawn++ / 3;
    return 0;
  }

  std::uint64_t num_drawn = 0;

 private:
  bool has_unnamed_;
};

}  // namespace

TEST_CASE("file faults: a failure of any call is reported, and one whole file is left", "[file]") {
  const bool has_unnamed = GENERATE(true, false);
  const int error = GENERATE(EIO, ENOSPC, EDQUOT);
  const NewFolder folder;
  FailingCalls good(has_unnamed, kNoCall, 0);
  replace(folder / "file", good);
  const std::set<std::string> kinds(good.made().begin(), good.made().end());
  CHECK(kinds.size() == (has_unnamed ? 10 : 11));
  for (std::size_t call = 0; call < good.made().size(); ++call) {
    write_bytes(folder / "file", kOldBytes);
    const int num_open = num_descriptors();
    FailingCalls calls(has_unnamed, call, error);
    INFO("call " << call << ", " << good.made()[call]);
    const std::string message = message_of<IoError>([&] { replace(folder / "file", calls); });
    CHECK(contains_text(message, (folder / "file").string()));
    CHECK(contains_text(message, std::strerror(error)));
    CHECK(message.starts_with("the new file ") == calls.is_renamed());
    CHECK(bytes_of_file(folder / "file") == (calls.is_renamed() ? kNewBytes : kOldBytes));
    CHECK(folder.names() == std::vector<std::string>{"file"});
    CHECK(num_descriptors() == num_open);
  }
}

TEST_CASE("file faults: a short or interrupted write is continued", "[file]") {
  const NewFolder folder;
  FailingCalls good(true, kNoCall, 0);
  replace(folder / "file", good);
  int num_interrupted = 0;
  for (std::size_t call = 0; call < good.made().size(); ++call) {
    if (good.made()[call] != "write") continue;
    FailingCalls calls(true, call, EINTR);
    replace(folder / "file", calls);
    CHECK(bytes_of_file(folder / "file") == kNewBytes);
    ++num_interrupted;
  }
  CHECK(num_interrupted > 2);
}

TEST_CASE("file faults: a write of 0 bytes is an error", "[file]") {
  struct NoByte final : FileCalls {
    std::ptrdiff_t write(int /*fd*/, const void* /*bytes*/, std::size_t /*size*/) override {
      return 0;
    }
  };

  const NewFolder folder;
  NoByte calls;
  CHECK_THROWS_AS(replace(folder / "file", calls), IoError);
  CHECK(folder.names().empty());
}

TEST_CASE("file faults: a writer creates another file if its file is removed or locked", "[file]") {
  const NewFolder folder;
  LateCalls calls;
  replace(folder / "file", calls);
  CHECK(calls.num_created == 3);
  CHECK(bytes_of_file(folder / "file") == kNewBytes);
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("file faults: a writer skips a temporary name that exists", "[file]") {
  const bool has_unnamed = GENERATE(true, false);
  const NewFolder folder;
  // A folder is not removed.
  std::filesystem::create_directory(folder / temporary_name(0));
  RepeatingCalls calls(has_unnamed);
  replace(folder / "file", calls);
  CHECK(calls.num_drawn == 4);
  CHECK(bytes_of_file(folder / "file") == kNewBytes);
  CHECK(folder.names() == std::vector<std::string>{temporary_name(0), "file"});
}
