#include "experiments/text/closest.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("closest: finds a name with one or two slips, and no name for another word", "[text]") {
  const std::vector<std::string> names = {"theory", "size", "sweep", "split_block", "--needs"};
  CHECK(closest("thory", names) == "theory");
  CHECK(closest("thoery", names) == "theory");
  CHECK(closest("splitblock", names) == "split_block");
  CHECK(closest("--neds", names) == "--needs");
  CHECK(closest("szie", names) == "size");
  CHECK_FALSE(closest("cuckoo", names));
  CHECK_FALSE(closest("", names));
  CHECK_FALSE(closest("x", names));
}
