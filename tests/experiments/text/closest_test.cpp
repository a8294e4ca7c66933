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

TEST_CASE("closest: suggests a name of the list in an error message", "[text]") {
  CHECK(suggestion_for("--needs must be one of erase, grow, merge, got 'grw'") ==
        "; did you mean grow?");
  CHECK(suggestion_for(R"(/hash: must be one of xxh3, aes, got "xxh")") == "; did you mean xxh3?");
  CHECK(suggestion_for("--needs must be one of erase, grow, got 'cuckoo'").empty());
  CHECK(suggestion_for("-k must be in [1, 64], got 65").empty());
  CHECK(suggestion_for("VARIANT must be one of a, got 'standrd'; did you mean standard?").empty());
  CHECK(suggestion_for("one of , got ''").empty());
  CHECK(suggestion_for(", got 'x' one of y").empty());
}
