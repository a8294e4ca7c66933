#include "experiments/output/row_check.hpp"

#include <nlohmann/json.hpp>
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

namespace {

/// Returns the unit of 100 insert calls into a filter of the variant, with this window.
Unit unit_with_window(const char* variant, const nlohmann::json& window) {
  const Config config = config_from_json({{"name", "windowed"},
                                          {"trials", 1},
                                          {"queries", 70},
                                          {"grids",
                                           {{{"variant", variant},
                                             {"num_keys", 100},
                                             {"num_counters", 640},
                                             {"num_hashes", 4},
                                             {"window", window}}}}});
  return expand(config).front();
}

TrialRow windowed_row(const Unit& unit) {
  TrialRow row = test::made_up_result(unit).rows.front();
  row.num_false_positives = 0;
  row.conditional_false_positive_rate = 0.5;
  row.num_window_queries = 40;
  row.num_window_violations = 3;
  row.num_expired_queries = 60;
  row.num_expired_retained = 60;
  row.num_expired_present = 0;
  return row;
}

/// Returns the complaint about a row after a change, without the name of the unit.
template <class Change>
std::string complaint_after(const Unit& unit, Change change) {
  TrialRow row = windowed_row(unit);
  change(row);
  const std::string text = test::message_of<ConfigError>([&] { require_rows_of(unit, {row}); });
  return text.substr(text.find(": ") + 2);
}

}  // namespace

TEST_CASE("row_check: rows have the counts of their window", "[output][rows]") {
  const Unit unit = unit_with_window("counting", {{"size", 40}, {"unit", "keys"}});
  require_rows_of(unit, {windowed_row(unit)});
  using Row = TrialRow;
  CHECK(complaint_after(unit, [](Row& row) { row.num_window_queries.reset(); }) ==
        "num_window_queries must be in a row of a unit with a window, got absent");
  CHECK(complaint_after(unit, [](Row& row) { row.num_expired_present.reset(); }) ==
        "num_expired_present must be in a row of a unit with a window, got absent");
  CHECK(complaint_after(unit, [](Row& row) { row.num_window_queries = 41; }) ==
        "num_window_queries must be at most the insert calls in the window = 40, got 41");
  CHECK(complaint_after(unit, [](Row& row) { row.num_window_queries = 39; }) ==
        "num_window_queries must be 40, got 39");
  CHECK(complaint_after(unit, [](Row& row) { row.num_window_violations = 41; }) ==
        "num_window_violations must be at most num_window_queries = 40, got 41");
  CHECK(complaint_after(unit, [](Row& row) { row.num_expired_queries = 61; }) ==
        "num_expired_queries must be at most num_queries and the number of keys outside the window "
        "= 60, got 61");
  CHECK(complaint_after(unit, [](Row& row) { row.num_expired_queries = 59; }) ==
        "num_expired_queries must be 60, got 59");
  CHECK(complaint_after(unit, [](Row& row) { row.num_expired_retained = 61; }) ==
        "num_expired_retained must be at most num_expired_queries = 60, got 61");
  CHECK(complaint_after(unit, [](Row& row) { row.num_expired_present = 1; }) ==
        "num_expired_present must be at most num_expired_queries - num_expired_retained = 0, got "
        "1");
  CHECK(complaint_after(unit, [](Row& row) { row.num_expired_retained = 59; }) ==
        "num_expired_retained must be 60, got 59");
  CHECK(complaint_after(unit, [](Row& row) { row.num_member_queries = 99; }) ==
        "num_member_queries must be 100, got 99");
}

TEST_CASE("row_check: rows have the counts of their stream of items", "[output][rows]") {
  Unit unit = unit_with_window("counting", {{"size", 40}, {"unit", "keys"}});
  unit.window.reset();
  unit.stream = ItemStream{.zipf = 1, .num_distinct = 80};
  const auto made = [&] {
    TrialRow row = test::made_up_result(unit).rows.front();
    row.num_false_positives = 0;
    row.conditional_false_positive_rate = 0.5;
    row.num_originals = 60;
    row.num_originals_stopped = 5;
    row.num_duplicates = 40;
    row.num_duplicates_passed = 10;
    row.num_held_duplicates = 30;
    row.num_lost_duplicates = 3;
    return row;
  };
  require_rows_of(unit, {made()});
  const auto complaint = [&](auto change) {
    TrialRow row = made();
    change(row);
    const std::string text = test::message_of<ConfigError>([&] { require_rows_of(unit, {row}); });
    return text.substr(text.find(": ") + 2);
  };
  using Row = TrialRow;
  CHECK(complaint([](Row& row) { row.num_lost_duplicates.reset(); }) ==
        "num_lost_duplicates must be in a row of a unit with a stream, got absent");
  CHECK(complaint([](Row& row) { row.num_originals = 81; }) ==
        "num_originals must be at most num_inserted and the keys of the stream = 80, got 81");
  CHECK(complaint([](Row& row) { row.num_duplicates = 41; }) ==
        "num_duplicates must be 40, got 41");
  CHECK(complaint([](Row& row) { row.num_originals_stopped = 61; }) ==
        "num_originals_stopped must be at most num_originals = 60, got 61");
  CHECK(complaint([](Row& row) { row.num_duplicates_passed = 41; }) ==
        "num_duplicates_passed must be at most num_duplicates = 40, got 41");
  CHECK(complaint([](Row& row) { row.num_held_duplicates = 41; }) ==
        "num_held_duplicates must be at most num_duplicates = 40, got 41");
  CHECK(complaint([](Row& row) { row.num_lost_duplicates = 11; }) ==
        "num_lost_duplicates must be at most num_held_duplicates and num_duplicates_passed = 10, "
        "got 11");
  unit.stream.reset();
  CHECK(complaint([](Row&) {}) ==
        "num_originals must be absent in a row of a unit without a stream, got 60");
}

TEST_CASE("row_check: a row without a window does not have its counts", "[output][rows]") {
  Unit unit = unit_with_window("counting", {{"size", 40}, {"unit", "keys"}});
  TrialRow row = windowed_row(unit);
  unit.window.reset();
  CHECK_THAT(test::message_of<ConfigError>([&] { require_rows_of(unit, {row}); }),
             Catch::Matchers::Contains(
                 "num_window_queries must be absent in a row of a unit without a window, got 40"));
}

TEST_CASE("row_check: the counts of a window follow its ticks, repeats and erases",
          "[output][rows]") {
  // 14 ticks of 7 calls, and 2 calls after the last tick.
  const Unit ticks =
      unit_with_window("counting", {{"size", 5}, {"unit", "ticks"}, {"inserts_per_tick", 7}});
  CHECK(complaint_after(ticks, [](TrialRow& row) { row.num_window_queries = 38; }) ==
        "num_window_queries must be at most the insert calls in the window = 37, got 38");
  TrialRow of_ticks = windowed_row(ticks);
  of_ticks.num_window_queries = 37;
  of_ticks.num_expired_queries = of_ticks.num_expired_retained = 63;
  require_rows_of(ticks, {of_ticks});

  const Unit repeats =
      unit_with_window("counting", {{"size", 40}, {"unit", "keys"}, {"reinsert", 0.5}});
  TrialRow repeated = windowed_row(repeats);
  repeated.num_window_queries = 30;
  repeated.num_expired_queries = repeated.num_expired_retained = 20;
  repeated.num_member_queries = 50;
  require_rows_of(repeats, {repeated});

  const Unit erases =
      unit_with_window("counting", {{"size", 40}, {"unit", "keys"}, {"erase", 0.5}});
  TrialRow erased = windowed_row(erases);
  erased.num_window_queries = 20;
  erased.num_expired_retained = 30;
  erased.num_expired_present = 30;
  erased.num_member_queries = 50;
  erased.num_refused_erases = 2;
  require_rows_of(erases, {erased});
}

}  // namespace bloometry
