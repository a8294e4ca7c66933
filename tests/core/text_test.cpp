#include "core/text.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry;
using Words = std::vector<std::string>;

TEST_CASE("text: words are joined by a comma or another separator", "[core]") {
  struct Named {
    std::string name;
  };

  CHECK(joined(Words{}).empty());
  CHECK(joined(Words{"a"}) == "a");
  CHECK(joined(Words{"a", "b", "c"}) == "a, b, c");
  CHECK(joined(Words{"a", "b"}, {}, "; ") == "a; b");
  CHECK(joined(std::vector<Named>{{"a"}, {"b"}}, &Named::name) == "a, b");
  const auto digits = [](int value) { return std::to_string(value); };
  CHECK(joined(std::vector<int>{1, 20}, digits, "/") == "1/20");
}

TEST_CASE("text: alternatives have `or` before the last word only", "[core]") {
  CHECK(joined_by_or(Words{}).empty());
  CHECK(joined_by_or(Words{"a"}) == "a");
  CHECK(joined_by_or(Words{"a", "b"}) == "a or b");
  CHECK(joined_by_or(Words{"a", "b", "c"}) == "a, b or c");
}
