#include "core/text.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry;
using Words = std::vector<std::string>;

TEST_CASE("text: alternatives have `or` before the last word only", "[core]") {
  CHECK(joined_by_or(Words{}).empty());
  CHECK(joined_by_or(Words{"a"}) == "a");
  CHECK(joined_by_or(Words{"a", "b"}) == "a or b");
  CHECK(joined_by_or(Words{"a", "b", "c"}) == "a, b or c");
}
