// Tests that a file is replaced as a whole. If the machine stops at any call, the file name refers
// to either the old file or the new file.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/core/file/simulated_disk.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

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

TEST_CASE("replace_file: a power failure at any call leaves the old file or the new file",
          "[file]") {
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

TEST_CASE("replace_file: an error leaves one whole file, and states whether it is the new file",
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

TEST_CASE("replace_file: refuses pipes and deleted files, under any name", "[file]") {
  const NewFolder folder;
  const std::array<std::string_view, 1> parts = {"new"};
  const auto refusal_of = [&](const std::filesystem::path& path) {
    return message_of<ConfigError>([&] { replace_file(path, parts); });
  };
  const auto name_of = [](int fd) { return "/proc/self/fd/" + std::to_string(fd); };
  SECTION("a pipe, as /dev/stdout may be") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    std::filesystem::create_symlink(name_of(ends[1]), folder / "stdout");
    CHECK(refusal_of(name_of(ends[1])) == name_of(ends[1]) + " must be a regular file, got a FIFO");
    CHECK(refusal_of(folder / "stdout") ==
          (folder / "stdout").string() + " must be a regular file, got a FIFO");
    ::close(ends[0]);
    ::close(ends[1]);
  }
  SECTION("a FIFO") {
    REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
    CHECK(refusal_of(folder / "fifo") ==
          (folder / "fifo").string() + " must be a regular file, got a FIFO");
    std::filesystem::remove(folder / "fifo");
  }
  SECTION("a deleted file") {
    const int fd = ::open((folder / "file").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    REQUIRE(fd >= 0);
    std::filesystem::remove(folder / "file");
    CHECK(refusal_of(name_of(fd)) ==
          name_of(fd) + " must be a file with a name, got a deleted file");
    ::close(fd);
  }
  std::filesystem::remove(folder / "stdout");
  CHECK(folder.names().empty());
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
