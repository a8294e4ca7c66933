#include "experiments/verdict/row_context.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

Unit unit_of(const std::string& variant, const std::string& probes, std::vector<Point> points) {
  Unit unit;
  unit.variant = variant;
  unit.hash = "xxh3";
  unit.probes = probes;
  unit.points = std::move(points);
  return unit;
}

TrialRow row_of(std::uint64_t num_hashes, std::uint64_t num_queries) {
  TrialRow row;
  row.num_inserted = 10;
  row.num_hashes = num_hashes;
  row.num_queries = num_queries;
  return row;
}

}  // namespace

TEST_CASE("row_context: the filter is that of the row's point in its unit", "[verdict]") {
  Unit unit =
      unit_of("counting", "distinct", {{10, 3, 50}, {10, 4, 50}, {10, 4, 60, 8}, {20, 3, 50}});
  unit.spec.num_counters = 100;
  unit.spec.params["counter_bits"] = 6.0;
  TrialRow row = row_of(4, 60);
  const RowContext context = row_context(unit, row);
  CHECK(context.point.variant == "counting");
  CHECK(context.point.model == ProbeModel::kDistinct);
  CHECK(context.point.num_keys == 10);
  CHECK(context.point.spec.num_counters == 100);
  CHECK_FALSE(context.point.spec.num_bits);
  CHECK(context.point.spec.num_hashes == 4U);
  CHECK(number_param(context.point.spec.params, "counter_bits") == 6);
  CHECK(context.capacity == 8);
  CHECK(context.exemption_reason.empty());
  row.num_queries = 50;
  CHECK_FALSE(row_context(unit, row).capacity);

  SECTION("a filter that grows chooses its hashes") {
    Unit grown = unit_of("scalable", "remix", {{10, 0, 50}});
    grown.spec.target_false_positive_rate = 0.25;
    row.num_hashes.reset();
    const TheoryPoint growing = row_context(grown, row).point;
    CHECK(growing.model == ProbeModel::kPartitioned);
    CHECK(growing.spec.target_false_positive_rate == 0.25);
    CHECK_FALSE(growing.spec.num_hashes);
  }
}

TEST_CASE("row_context: the number of keys follows from the churn", "[verdict]") {
  Unit unit = unit_of("counting", "remix", {{10, 3, 50}});
  unit.spec.num_counters = 100;
  unit.churn = Churn{.rounds = 2, .erase = 0.2, .reinsert = 0.1};
  TrialRow row = row_of(3, 50);
  CHECK(row_context(unit, row).point.num_keys == 8);
  CHECK(row_context(unit, row).has_num_keys);
  row.num_refused_erases = 1;
  CHECK(row_context(unit, row).point.num_keys == 10);
  CHECK_FALSE(row_context(unit, row).has_num_keys);
}
