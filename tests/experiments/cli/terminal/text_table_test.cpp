#include "experiments/cli/terminal/text_table.hpp"

#include <sstream>
#include <string>

#include "experiments/cli/terminal/text_width.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

/// Returns the table as printed on a stream with a limited number of columns.
std::string printed(const TextTable& table, std::size_t columns) {
  std::ostringstream out;
  set_columns(out, columns);
  table.print(out);
  return out.str();
}

}  // namespace

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

TEST_CASE("text_table: a table that is too wide is stacked, and a limit of 0 is none", "[cli]") {
  TextTable table({{"name"}, {"count"}, {"size"}, {"rate"}});
  table.add({"a", "1", "22", "333"});
  table.add({"longer", "4,444", "5", "6"});
  CHECK(printed(table, 25) ==
        "name    count  size  rate\n"
        "a           1    22   333\n"
        "longer  4,444     5     6\n");
  CHECK(printed(table, 24) ==
        "name    count  size\n"
        "    rate\n"
        "a           1    22\n"
        "     333\n"
        "longer  4,444     5\n"
        "       6\n");
  CHECK(printed(table, 1) ==
        "name\n    count\n    size\n    rate\n"
        "a\n        1\n      22\n     333\n"
        "longer\n    4,444\n       5\n       6\n");
  CHECK(printed(table, 0) == printed(table, 25));
}

TEST_CASE("text_table: extra columns are left out before columns are stacked", "[cli]") {
  TextTable table({{"name"}, {.title = "counted", .is_extra = true}, {"rate"}});
  table.add({"a", "1 of 10", "0.1"});
  CHECK(printed(table, 19) == "name  counted  rate\na     1 of 10   0.1\n");
  CHECK(printed(table, 18) == "name  rate\na      0.1\ncolumns left out, see --wide: counted\n");
}

TEST_CASE("text_table: the text of the last column is wrapped", "[cli]") {
  TextTable table({{"k"}, {"because", true}});
  table.add({"7", "the filter has more probes than cells"});
  CHECK(printed(table, 30) ==
        "k  because\n"
        "7  the filter has more probes\n"
        "   than cells\n");
}

TEST_CASE("text_table: columns are aligned by display width", "[cli]") {
  TextTable table({{"name"}, {"count"}});
  table.add({"données", "1"});
  table.add({"日本", "10"});
  table.add({"e\u0301", "100"});
  CHECK(printed(table, 0) ==
        "name     count\n"
        "données      1\n"
        "日本        10\n"
        "e\u0301          100\n");
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
