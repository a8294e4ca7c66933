#include "core/file/temporary_names.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/write_file.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

void replace(const std::filesystem::path& path) {
  const std::array<std::string_view, 1> parts = {"new"};
  replace_file(path, parts);
}

}  // namespace

TEST_CASE("temporary_names: only names of the pattern are temporary", "[file]") {
  CHECK(temporary_name(0x0123456789abcdef) == ".bloometry-0123456789abcdef.tmp");
  CHECK(temporary_name(~std::uint64_t{0}) == ".bloometry-ffffffffffffffff.tmp");
  CHECK(is_temporary_name(temporary_name(0)));
  for (const char* name :
       {"", ".tmp", ".bloometry-.tmp", "bloometry-0123456789abcdef.tmp", ".file.123.tmp",
        ".bloometry-0123456789abcdeF.tmp", ".bloometry-0123456789abcde.tmp",
        ".bloometry-0123456789abcdef0.tmp", ".bloometry-0123456789abcdef.tmP",
        ".bloometry-0123456789abcde/.tmp", ".bloometrY-0123456789abcdef.tmp"}) {
    INFO(name);
    CHECK_FALSE(is_temporary_name(name));
  }
}

TEST_CASE("temporary_names: the next writer removes the temporary files that are not locked",
          "[file]") {
  const NewFolder folder;
  write_bytes(folder / temporary_name(1), "left by a kill");
  write_bytes(folder / temporary_name(2), "being written");
  write_bytes(folder / temporary_name(3), "left by a kill, read-only");
  std::filesystem::permissions(folder / temporary_name(3), std::filesystem::perms::owner_read);
  write_bytes(folder / ".file.123.tmp", "of an earlier version");
  const int held = ::open((folder / temporary_name(2)).c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::flock(held, LOCK_EX | LOCK_NB) == 0);
  replace(folder / "file");
  CHECK(folder.names() == std::vector<std::string>{temporary_name(2), ".file.123.tmp", "file"});
  ::close(held);
  replace(folder / "file");
  CHECK(folder.names() == std::vector<std::string>{".file.123.tmp", "file"});
}

TEST_CASE("temporary_names: a writer removes neither folders, links nor FIFOs", "[file]") {
  const NewFolder folder;
  write_bytes(folder / "victim", "of another program");
  std::filesystem::create_directory(folder / temporary_name(1));
  std::filesystem::create_symlink("victim", folder / temporary_name(2));
  REQUIRE(::mkfifo((folder / temporary_name(3)).c_str(), 0600) == 0);
  replace(folder / "file");
  CHECK(folder.names() == std::vector<std::string>{temporary_name(1), temporary_name(2),
                                                   temporary_name(3), "file", "victim"});
  CHECK(bytes_of_file(folder / "victim") == "of another program");
}
