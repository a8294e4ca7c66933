#include "experiments/output/row_check.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

TEST_CASE("row_check: rows of limited filters have possible refused inserts", "[output][rows]") {
  const Config config = config_from_json(
      {{"name", "limited"},
       {"trials", 1},
       {"queries", 10},
       {"grids",
        {{{"variant", "d_left"}, {"num_keys", 100}, {"num_counters", 64}, {"num_hashes", 4}}}}});
  const std::vector<Unit> units = expand(config);
  TrialRow row = test::made_up_result(units.front()).rows.front();
  row.num_refused_inserts = 40;
  row.num_member_queries = 60;
  row.num_ones = 60;
  row.num_false_positives = 0;
  row.conditional_false_positive_rate = 0.5;
  require_rows_of(units.front(), {row});

  const auto complaint = [&](const TrialRow& changed) {
    return test::message_of<ConfigError>([&] { require_rows_of(units.front(), {changed}); });
  };
  TrialRow old = row;  // an older version does not write the column
  old.num_refused_inserts.reset();
  old.num_member_queries = 100;
  require_rows_of(units.front(), {old});
  TrialRow wrong = row;
  wrong.num_refused_inserts = 41;
  CHECK_THAT(complaint(wrong),
             Catch::Matchers::Contains(
                 "num_ones must be at most num_inserted - num_refused_inserts = 59, got 60"));
  wrong.num_refused_inserts = 101;
  CHECK_THAT(complaint(wrong),
             Catch::Matchers::Contains("num_refused_inserts must be at most num_inserted = 100"));
  wrong = row;
  wrong.num_member_queries = 100;
  CHECK_THAT(complaint(wrong), Catch::Matchers::Contains("num_member_queries must be 60, got 100"));
}

TEST_CASE("row_check: a row of a cuckoo filter has a cell for each accepted insert",
          "[output][rows]") {
  const Config config = config_from_json(
      {{"name", "limited"},
       {"trials", 1},
       {"queries", 10},
       {"grids", {{{"variant", "cuckoo"}, {"num_keys", 100}, {"num_counters", 64}}}}});
  const std::vector<Unit> units = expand(config);
  TrialRow row = test::made_up_result(units.front()).rows.front();
  row.num_refused_inserts = 40;
  row.num_member_queries = 60;
  row.num_ones = 60;
  row.num_passing_pairs = 118;
  row.num_false_positives = 0;
  row.conditional_false_positive_rate = 0.5;
  require_rows_of(units.front(), {row});

  const auto complaint = [&](std::uint64_t num_refused, std::uint64_t num_ones,
                             std::uint64_t num_pairs) {
    TrialRow wrong = row;
    wrong.num_refused_inserts = num_refused;
    wrong.num_member_queries = 100 - num_refused;
    wrong.num_ones = num_ones;
    wrong.num_passing_pairs = num_pairs;
    return test::message_of<ConfigError>([&] { require_rows_of(units.front(), {wrong}); });
  };
  const auto contains = [](const char* text) { return Catch::Matchers::Contains(text); };
  CHECK_THAT(complaint(40, 59, 118), contains("num_ones must be 60, got 59"));
  CHECK_THAT(complaint(0, 64, 118), contains("num_ones must be 100, got 64"));
  CHECK_THAT(complaint(0, 100, 118), contains("num_ones must be at most"));
  CHECK_THAT(complaint(40, 60, 117), contains("num_passing_pairs must be even, got 117"));
  CHECK_THAT(complaint(40, 60, 122),
             contains("num_passing_pairs must be at most 2 num_ones = 120"));
}

TEST_CASE("row_check: a table does not have more occupied cells than cells", "[output][rows]") {
  for (const char* variant : {"cuckoo", "d_left"}) {
    // The size is given in bits, so that the row does not contain the number of cells.
    const Config config = config_from_json({{"name", "limited"},
                                            {"trials", 1},
                                            {"queries", 10},
                                            {"grids",
                                             {{{"variant", variant},
                                               {"num_keys", 2000},
                                               {"num_bits", 1024 * 16},
                                               {"num_hashes", 2}}}}});
    const std::vector<Unit> units = expand(config);
    const VariantInfo& info = find_variant(variant);
    const std::uint64_t num_cells = info.geometry(units.front().spec).num_cells;
    TrialRow row = test::made_up_result(units.front()).rows.front();
    row.num_false_positives = 0;
    row.conditional_false_positive_rate = 0.5;
    const auto with_ones = [&](std::uint64_t num_ones) {
      row.num_ones = num_ones;
      row.num_refused_inserts = 2000 - num_ones;
      row.num_member_queries = num_ones;
      return row;
    };
    CAPTURE(variant, num_cells);
    require_rows_of(units.front(), {with_ones(num_cells)});
    CHECK_THAT(test::message_of<ConfigError>(
                   [&] { require_rows_of(units.front(), {with_ones(num_cells + 1)}); }),
               Catch::Matchers::Contains("num_ones must be at most the number of cells = "));
  }
}

}  // namespace bloometry
