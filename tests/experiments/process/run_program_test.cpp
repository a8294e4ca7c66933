#include "experiments/process/run_program.hpp"

#include <filesystem>
#include <iterator>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/is_running.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::test;
namespace fs = std::filesystem;

TEST_CASE("run_program: arguments are passed unchanged and without a shell", "[process]") {
  const TempFolder folder;
  const fs::path odd = folder / "a b; $(touch hacked) 'quoted'";
  run_program({"touch", odd.string()}, "coreutils");
  CHECK(fs::exists(odd));
  const fs::directory_iterator files(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("run_program: a missing or failing program is reported in one line", "[process]") {
  CHECK_THROWS_WITH(run_program({"no-such-program-here"}, "somepackage"),
                    "no-such-program-here is not installed (Debian package somepackage)");
  const std::string message = message_of<IoError>([] {
    run_program({"ls", "/no/such/folder"}, "coreutils");
  });
  CHECK(message.find("ls failed: ") == 0);
  CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("run_program: a program that cannot be executed is not reported as missing",
          "[process]") {
  CHECK_THROWS_WITH(run_program({"/etc/passwd"}, "somepackage"),
                    "cannot run /etc/passwd: Permission denied");
}

TEST_CASE("run_program: all processes of the program are stopped", "[process]") {
  const TempFolder folder;
  const fs::path pid = folder / "pid";
  const std::string command = "setsid sleep 1000 2>/dev/null & echo $! >" + pid.string();
  run_program({"sh", "-c", command}, "dash");
  CHECK_FALSE(is_running(std::to_string(std::stol(read_text(pid)))));
}
