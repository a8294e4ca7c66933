#include "experiments/cli/terminal/text_table.hpp"

#include <sstream>

#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("text_table: texts are left-aligned, numbers right-aligned", "[cli]") {
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

TEST_CASE("text_table: cells of several bits are counters", "[cli]") {
  CHECK(counted_cells(0, 1) == "0 bits");
  CHECK(counted_cells(1000, 1) == "1,000 bits");
  CHECK(counted_cells(1000, 4) == "1,000 counters of 4 bits");
}

TEST_CASE("text_table: memory is printed in binary units", "[cli]") {
  CHECK(memory_text(1) == "1 bit");
  CHECK(memory_text(2) == "2 bits");
  CHECK(memory_text(8) == "1 B");
  CHECK(memory_text(std::uint64_t{64} << 23) == "64 MiB");
  CHECK(memory_text(std::uint64_t{1} << 53U) == "1 PiB");
}
