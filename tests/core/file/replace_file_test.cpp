// Tests that a file is replaced as a whole. If the machine stops at any call, the file name refers
// to either the old file or the new file.

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

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// Exception that the simulated disk throws at a power cut.
struct Crash {};

/// A simulated disk in memory. Bytes of a file are durable once the file is synced, and names are
/// durable once their folder is synced. At a power cut, data that was not synced may be stored
/// completely, partly, or not at all.
class Disk final : public FileCalls {
 public:
  Disk(std::uint64_t seed, std::string old) : random_(seed) {
    if (old.empty()) return;
    files_.push_back({.written = old, .num_durable = old.size()});
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

  int create(const std::filesystem::path& path, const std::filesystem::path& /*like*/) override {
    if (fails()) return -1;
    files_.push_back({});
    change([name = path.filename().string(), file = files_.size() - 1](auto& names) {
      names[name] = file;
    });
    return static_cast<int>(files_.size() - 1);
  }

  int open_folder(const std::filesystem::path& /*path*/) override { return fails() ? -1 : kFolder; }

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
    } else {
      File& file = files_[static_cast<std::size_t>(fd)];
      file.num_durable = file.written.size();
    }
    return 0;
  }

  int close(int /*fd*/) override { return 0; }

  int rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    if (fails()) return -1;
    change([from = from.filename().string(), to = to.filename().string()](auto& names) {
      names[to] = names.at(from);
      names.erase(from);
    });
    return 0;
  }

  int unlink(const std::filesystem::path& path) override {
    if (is_off_) return -1;
    change([name = path.filename().string()](auto& names) { names.erase(name); });
    return 0;
  }

 private:
  static constexpr int kFolder = 1'000'000;

  struct File {
    std::string written{};
    std::size_t num_durable = 0;
  };

  using Names = std::map<std::string, std::size_t>;

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
};

const std::string kOld = "the old file";

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

std::uint64_t num_calls_of(std::uint64_t seed) {
  Disk disk(seed, kOld);
  replace(disk);
  return disk.num_calls();
}

}  // namespace

TEST_CASE("replaced files: a power cut at any call leaves the old file or the new one", "[file]") {
  const std::string fresh = joined(new_parts());
  std::uint64_t num_old = 0;
  std::uint64_t num_new = 0;
  std::mt19937_64 random(20261123);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const std::uint64_t seed = random();
    Disk disk(seed, kOld);
    disk.at_call(random() % num_calls_of(seed), std::nullopt);
    REQUIRE_THROWS_AS(replace(disk), Crash);
    const std::string left = disk.durable_content("new.bloom");
    INFO(i << ": " << left.size() << " bytes");
    REQUIRE((left == kOld || left == fresh));
    ++(left == kOld ? num_old : num_new);
  }
  CHECK(num_old > 0);
  CHECK(num_new > 0);
}

TEST_CASE("replaced files: when it returned, the new file lasts", "[file]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Disk disk(seed, kOld);
    replace(disk);
    REQUIRE(disk.durable_content("new.bloom") == joined(new_parts()));
    REQUIRE(disk.num_names() == 1);
  }
}

TEST_CASE("replaced files: an error at any call leaves no half, and nothing beside", "[file]") {
  const std::uint64_t num_calls = num_calls_of(7);
  for (const int error : {ENOSPC, EIO, EDQUOT}) {
    for (std::uint64_t call = 0; call < num_calls; ++call) {
      Disk disk(7, kOld);
      disk.at_call(call, error);
      INFO("call " << call);
      REQUIRE_THROWS_AS(replace(disk), IoError);
      const std::string left = disk.content("new.bloom");
      // After the rename the new file exists, although a power cut could restore the old file.
      REQUIRE((left == kOld || left == joined(new_parts())));
      REQUIRE((left == kOld) == (call + 2 < num_calls));
      REQUIRE(disk.num_names() == 1);
    }
  }
}

TEST_CASE("replaced files: an interrupted write goes on", "[file]") {
  Disk disk(3, kOld);
  disk.at_call(1, EINTR);  // the first write
  replace(disk);
  CHECK(disk.durable_content("new.bloom") == joined(new_parts()));
}

TEST_CASE("replaced files: on a real disk", "[file]") {
  const NewFolder folder;
  const std::vector<std::string_view> parts = {"ab", "", "c"};
  replace_file(folder / "file", parts);
  CHECK(bytes_of_file(folder / "file") == "abc");
  const std::vector<std::string_view> fewer = {"x"};
  replace_file(folder / "file", fewer);
  CHECK(bytes_of_file(folder / "file") == "x");
  CHECK_FALSE(std::filesystem::exists(name_while_written(folder / "file")));
  CHECK_THROWS_AS(replace_file(folder / "no_folder" / "file", parts), IoError);
  std::filesystem::create_directory(folder / "folder");
  CHECK_THROWS_AS(replace_file(folder / "folder", parts), ConfigError);
}

TEST_CASE("replaced files: the permissions of the old file are kept", "[file]") {
  const NewFolder folder;
  const std::array<std::string_view, 1> parts = {"new"};
  replace_file(folder / "file", parts);
  constexpr std::filesystem::perms kPrivate =
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(folder / "file", kPrivate);
  replace_file(folder / "file", parts);
  CHECK(std::filesystem::status(folder / "file").permissions() == kPrivate);
}

TEST_CASE("replaced files: a link leads to the file that is replaced, one beside it nowhere",
          "[file]") {
  const NewFolder folder;
  const std::array<std::string_view, 1> old_parts = {"old"};
  const std::array<std::string_view, 1> new_parts = {"newer"};
  replace_file(folder / "file", old_parts);
  replace_file(folder / "victim", old_parts);
  std::filesystem::create_symlink("file", folder / "link");
  std::filesystem::create_symlink("victim", name_while_written(folder / "file"));
  replace_file(folder / "link", new_parts);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK_FALSE(std::filesystem::is_symlink(folder / "file"));
  CHECK(bytes_of_file(folder / "file") == "newer");
  CHECK(bytes_of_file(folder / "victim") == "old");
}
