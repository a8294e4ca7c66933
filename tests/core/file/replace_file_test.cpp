// Tests that a file is replaced as a whole. If the machine stops at any call, the file name refers
// to either the old file or the new file.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

const std::string kOld = "the old file";

/// Exception that the simulated disk throws at a power cut.
struct Crash {};

/// A simulated disk in memory. Bytes of a file are durable once the file is synced, and names are
/// durable once their folder is synced. At a power cut, data that was not synced may be stored
/// completely, partly, or not at all.
class Disk final : public FileCalls {
 public:
  /// @param has_unnamed whether the disk supports files without a name
  Disk(std::uint64_t seed, bool has_unnamed) : random_(seed), has_unnamed_(has_unnamed) {
    files_.push_back({.written = kOld, .num_durable = kOld.size()});
    names_["new.bloom"] = 0;
    durable_names_ = names_;
  }

  /// Arranges a power cut at file call number `call`, or a failure of this call with `error`.
  void at_call(std::uint64_t call, std::optional<int> error) {
    call_ = call;
    error_ = error;
  }

  [[nodiscard]] std::uint64_t num_calls() const { return num_calls_; }

  /// Returns the content of the named file, as a running process reads it.
  [[nodiscard]] std::string content(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? "" : files_[found->second].written;
  }

  /// Returns the content of the named file after the power cut.
  [[nodiscard]] std::string durable_content(const std::string& name) {
    // A random number of the first name changes that were not synced are on the disk.
    std::map<std::string, std::size_t> names = durable_names_;
    for (std::size_t i = random_() % (pending_.size() + 1), j = 0; j < i; ++j) pending_[j](names);
    const auto found = names.find(name);
    if (found == names.end()) return "";
    const File& file = files_[found->second];
    const std::size_t unsynced = file.written.size() - file.num_durable;
    return file.written.substr(0, file.num_durable + random_() % (unsynced + 1));
  }

  [[nodiscard]] std::size_t num_names() const { return names_.size(); }

  [[nodiscard]] bool is_renamed() const { return is_renamed_; }

  int open_folder(const std::filesystem::path& /*path*/) override { return fails() ? -1 : kFolder; }

  void remove_abandoned(int /*folder*/) override {}

  int open_unnamed(int /*folder*/) override {
    if (fails()) return -1;
    if (!has_unnamed_) {
      errno = EOPNOTSUPP;
      return -1;
    }
    return new_file();
  }

  int create(int /*folder*/, const char* name) override {
    if (fails()) return -1;
    if (names_.contains(name)) {
      errno = EEXIST;
      return -1;
    }
    change([name = std::string(name), file = files_.size()](auto& names) { names[name] = file; });
    return new_file();
  }

  int draw(std::uint64_t& bits) override {
    bits = random_();
    return fails() ? -1 : 0;
  }

  int lock(int /*fd*/) override { return fails() ? -1 : 0; }

  int find(int /*folder*/, const char* name) override {
    if (fails()) return -1;
    if (names_.contains(name)) return 0;
    errno = ENOENT;
    return -1;
  }

  int copy_permissions(int /*fd*/, int /*folder*/, const char* /*like*/) override {
    return fails() ? -1 : 0;
  }

  int duplicate(int fd) override { return fails() ? -1 : fd; }

  int link(int fd, int /*folder*/, const char* name) override {
    if (fails()) return -1;
    if (names_.contains(name)) {
      errno = EEXIST;
      return -1;
    }
    change([name = std::string(name), fd](auto& names) {
      names[name] = static_cast<std::size_t>(fd);
    });
    return 0;
  }

  std::ptrdiff_t write(int fd, const void* bytes, std::size_t size) override {
    // A write may store only a part of the bytes, and the disk may become full during a write.
    const std::size_t taken = size == 0 ? 0 : 1 + random_() % size;
    const bool is_cut = num_calls_ == call_;
    if (is_cut && !error_) {
      files_[static_cast<std::size_t>(fd)].written.append(static_cast<const char*>(bytes),
                                                          random_() % (taken + 1));
    }
    if (fails()) return -1;
    files_[static_cast<std::size_t>(fd)].written.append(static_cast<const char*>(bytes), taken);
    return static_cast<std::ptrdiff_t>(taken);
  }

  int fsync(int fd) override {
    if (fails()) return -1;
    if (fd == kFolder) {
      durable_names_ = names_;
      pending_.clear();
    } else if (has_name(fd)) {  // btrfs does not store the size of a file without a name
      File& file = files_[static_cast<std::size_t>(fd)];
      file.num_durable = file.written.size();
    }
    return 0;
  }

  int close(int /*fd*/) override { return is_off_ || !fails() ? 0 : -1; }

  int rename(int /*folder*/, const char* from, const char* to) override {
    if (fails()) return -1;
    is_renamed_ = true;
    change([from = std::string(from), to = std::string(to)](auto& names) {
      names[to] = names.at(from);
      names.erase(from);
    });
    return 0;
  }

  int unlink(int /*folder*/, const char* name) override {
    if (is_off_) return -1;
    change([name = std::string(name)](auto& names) { names.erase(name); });
    return 0;
  }

 private:
  static constexpr int kFolder = 1'000'000;

  struct File {
    std::string written{};
    std::size_t num_durable = 0;
  };

  using Names = std::map<std::string, std::size_t>;

  [[nodiscard]] bool has_name(int fd) const {
    return std::any_of(names_.begin(), names_.end(), [fd](const auto& name) {
      return name.second == static_cast<std::size_t>(fd);
    });
  }

  int new_file() {
    files_.push_back({});
    return static_cast<int>(files_.size() - 1);
  }

  bool fails() {
    if (is_off_) throw Crash{};
    if (num_calls_++ != call_) return false;
    if (error_) {
      errno = *error_;
      return true;
    }
    is_off_ = true;
    throw Crash{};
  }

  void change(std::function<void(Names&)> how) {
    how(names_);
    pending_.push_back(std::move(how));
  }

  std::mt19937_64 random_;
  std::vector<File> files_;
  Names names_;
  Names durable_names_;
  std::vector<std::function<void(Names&)>> pending_;
  std::uint64_t num_calls_ = 0;
  std::uint64_t call_ = ~std::uint64_t{0};
  std::optional<int> error_{};
  bool is_off_ = false;
  bool has_unnamed_;
  bool is_renamed_ = false;
};

std::vector<std::string> new_parts() {
  return {std::string(200, 'h'), std::string(3'000, 'c'), "", std::string(77, 'z')};
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

void replace(Disk& disk) {
  const std::vector<std::string> parts = new_parts();
  const std::vector<std::string_view> views(parts.begin(), parts.end());
  // The folder must exist, but the simulated disk uses only the file name.
  replace_file(std::filesystem::temp_directory_path() / "new.bloom", views, disk);
}

std::uint64_t num_calls_of(std::uint64_t seed, bool has_unnamed) {
  Disk disk(seed, has_unnamed);
  replace(disk);
  return disk.num_calls();
}

}  // namespace

TEST_CASE("replace_file: a power cut at any call leaves the old file or the new file", "[file]") {
  const std::string fresh = joined(new_parts());
  std::uint64_t num_old = 0;
  std::uint64_t num_new = 0;
  std::mt19937_64 random(20261123);
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const std::uint64_t seed = random();
    Disk disk(seed, i % 2 == 0);
    disk.at_call(random() % num_calls_of(seed, i % 2 == 0), std::nullopt);
    REQUIRE_THROWS_AS(replace(disk), Crash);
    const std::string left = disk.durable_content("new.bloom");
    INFO(i << ": " << left.size() << " bytes");
    REQUIRE((left == kOld || left == fresh));
    ++(left == kOld ? num_old : num_new);
  }
  CHECK(num_old > 0);
  CHECK(num_new > 0);
}

TEST_CASE("replace_file: the new file is durable when the function returns", "[file]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Disk disk(seed, seed % 2 == 0);
    replace(disk);
    REQUIRE(disk.durable_content("new.bloom") == joined(new_parts()));
    REQUIRE(disk.num_names() == 1);
  }
}

TEST_CASE("replace_file: an error leaves one whole file, and says if it is the new file",
          "[file]") {
  const bool has_unnamed = GENERATE(true, false);
  const int error = GENERATE(ENOSPC, EIO, EDQUOT);
  const std::uint64_t num_calls = num_calls_of(7, has_unnamed);
  constexpr std::uint64_t kOpenUnnamed = 1;  // a failure is not an error: the file gets a name
  for (std::uint64_t call = 0; call < num_calls; ++call) {
    if (call == kOpenUnnamed) continue;
    Disk disk(7, has_unnamed);
    disk.at_call(call, error);
    INFO("call " << call << " of " << num_calls);
    const std::string message = message_of<IoError>([&] { replace(disk); });
    REQUIRE(disk.content("new.bloom") == (disk.is_renamed() ? joined(new_parts()) : kOld));
    REQUIRE(message.starts_with("the new file ") == disk.is_renamed());
    REQUIRE(disk.num_names() == 1);
  }
}

TEST_CASE("replace_file: repeats an interrupted write", "[file]") {
  constexpr std::uint64_t kFirstWrite = 4;
  Disk disk(3, true);
  disk.at_call(kFirstWrite, EINTR);
  replace(disk);
  CHECK(disk.durable_content("new.bloom") == joined(new_parts()));
}

TEST_CASE("replace_file: creates and replaces a file on a real disk", "[file]") {
  const NewFolder folder;
  const std::vector<std::string_view> parts = {"ab", "", "c"};
  replace_file(folder / "file", parts);
  CHECK(bytes_of_file(folder / "file") == "abc");
  const std::vector<std::string_view> fewer = {"x"};
  replace_file(folder / "file", fewer);
  CHECK(bytes_of_file(folder / "file") == "x");
  CHECK(folder.names() == std::vector<std::string>{"file"});
  CHECK_THROWS_AS(replace_file(folder / "no_folder" / "file", parts), IoError);
  std::filesystem::create_directory(folder / "folder");
  CHECK_THROWS_AS(replace_file(folder / "folder", parts), ConfigError);
}

TEST_CASE("replace_file: keeps the permissions of the old file", "[file]") {
  const NewFolder folder;
  const std::array<std::string_view, 1> parts = {"new"};
  replace_file(folder / "file", parts);
  constexpr std::filesystem::perms kPrivate =
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(folder / "file", kPrivate);
  replace_file(folder / "file", parts);
  CHECK(std::filesystem::status(folder / "file").permissions() == kPrivate);
}

TEST_CASE("replace_file: a name may have 255 bytes", "[file]") {
  const NewFolder folder;
  const std::array<std::string_view, 1> parts = {"new"};
  const std::string longest(255, 'x');
  replace_file(folder / longest, parts);
  CHECK(bytes_of_file(folder / longest) == "new");
  CHECK_THROWS_AS(replace_file(folder / (longest + 'x'), parts), IoError);
  CHECK(folder.names() == std::vector<std::string>{longest});
}

TEST_CASE("replace_file: follows symbolic links", "[file]") {
  const NewFolder folder;
  const std::array<std::string_view, 1> old_parts = {"old"};
  const std::array<std::string_view, 1> new_parts = {"newer"};
  std::filesystem::create_directory(folder / "far");
  SECTION("to a file") {
    replace_file(folder / "file", old_parts);
    std::filesystem::create_symlink("file", folder / "link");
    replace_file(folder / "link", new_parts);
    CHECK_FALSE(std::filesystem::is_symlink(folder / "file"));
    CHECK(bytes_of_file(folder / "file") == "newer");
  }
  SECTION("to a missing file, which is created") {
    std::filesystem::create_symlink("far/again", folder / "link");
    std::filesystem::create_symlink("../file", folder / "far/again");
    replace_file(folder / "link", new_parts);
    CHECK(std::filesystem::is_symlink(folder / "far/again"));
    CHECK(bytes_of_file(folder / "file") == "newer");
  }
  SECTION("to a missing file with an absolute name") {
    std::filesystem::create_symlink(folder / "far/file", folder / "link");
    replace_file(folder / "link", new_parts);
    CHECK(bytes_of_file(folder / "far/file") == "newer");
  }
  SECTION("to a file in a missing folder, which is an error") {
    std::filesystem::create_symlink("none/file", folder / "link");
    CHECK_THROWS_AS(replace_file(folder / "link", new_parts), IoError);
  }
  SECTION("in a loop, which is an error") {
    std::filesystem::create_symlink("link", folder / "other");
    std::filesystem::create_symlink("other", folder / "link");
    CHECK(message_of<ConfigError>([&] { replace_file(folder / "link", new_parts); }) ==
          (folder / "link").string() + " must be a regular file, got a symbolic link in a loop");
  }
  CHECK(std::filesystem::is_symlink(folder / "link"));
}
