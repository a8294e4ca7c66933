#include "experiments/cli/text_table.hpp"

#include <sstream>

#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("text_table: texts to the left, numbers to the right", "[cli]") {
  TextTable table({{"name"}, {"count"}, {"unit", true}});
  table.add({"a", "5", "bits"});
  table.add({"longer", "1,000", "B"});
  std::ostringstream out;
  table.print(out);
  CHECK(out.str() ==
        "name    count  unit\n"
        "a           5  bits\n"
        "longer  1,000  B\n");
}

TEST_CASE("text_table: numbers for people", "[cli]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'000) == "1,000");
  CHECK(grouped(12'345'678) == "12,345,678");
  CHECK(rounded(0.010039223613, 6) == "0.0100392");
  CHECK(memory_text(8) == "1 B");
  CHECK(memory_text(std::uint64_t{64} << 23) == "64 MiB");
}
