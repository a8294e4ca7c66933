#include "experiments/output/units_of_rows.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/output/part_writer.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/unit/unit_id.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

/// Returns a config of one grid of counting filters. The JSON text is inserted in the config.
Config config_with(const std::string& queries, const std::string& num_hashes) {
  return config_from_json(nlohmann::json::parse(
      R"({"name": "a", "queries": )" + queries +
      R"(, "grids": [{"variant": "counting", "num_keys": [10, 20], "num_counters": 100, "num_hashes": )" +
      num_hashes + "}]}"));
}

const std::string kRelativeError = R"({"relative_error": 0.1})";
const std::string kBestK = R"("optimal_at_num_keys")";

/// Returns an invented line of the unit with these points, under the id of such a unit.
UnitResult line_of(Unit unit, std::vector<Point> points) {
  unit.points = std::move(points);
  unit.id = unit_id(unit);
  return test::made_up_result(unit);
}

std::vector<Point> with_more_queries(std::vector<Point> points) {
  for (Point& point : points) ++point.num_queries;
  return points;
}

std::vector<Point> with_other_k(std::vector<Point> points) {
  for (Point& point : points) --point.num_hashes;
  return points;
}

bool is_found(const Config& config, const UnitResult& line) {
  const std::vector<Unit> units = expand(config);
  return UnitsOfRows(config, units).find(line).has_value();
}

}  // namespace

TEST_CASE("units_of_rows: finds lines with another best k and number of queries",
          "[output][units_of_rows]") {
  const Config config = config_with(kRelativeError, kBestK);
  const std::vector<Unit> units = expand(config);
  UnitsOfRows others(config, units);
  for (const auto& points : {with_more_queries(units[0].points), with_other_k(units[0].points)}) {
    const UnitResult line = line_of(units[0], points);
    REQUIRE(line.timing.unit != units[0].id);
    const auto found = others.find(line);
    REQUIRE(found.has_value());
    CHECK(found->planned == units.data());
    CHECK(found->unit.id == line.timing.unit);
    CHECK(found->unit.points == points);
  }
}

TEST_CASE("units_of_rows: rejects rows that the config does not request",
          "[output][units_of_rows]") {
  const Config config = config_with("100", "[2, 3]");
  const Unit unit = expand(config).front();
  std::vector<Point> points = unit.points;
  REQUIRE(is_found(config, line_of(unit, points)));
  SECTION("a missing point") {
    points.pop_back();
  }
  SECTION("a repeated point") {
    points.push_back(points.back());
  }
  SECTION("another k, if the config names k") {
    points = with_other_k(points);
  }
  SECTION("another n") {
    points.front().num_inserted = 11;
  }
  SECTION("more queries, if the config names their number") {
    points = with_more_queries(points);
  }
  REQUIRE_FALSE(is_found(config, line_of(unit, points)));
}

TEST_CASE("units_of_rows: rejects lines without rows and lines with a wrong id",
          "[output][units_of_rows]") {
  const Config config = config_with(kRelativeError, kBestK);
  const Unit unit = expand(config).front();
  UnitResult line = line_of(unit, with_more_queries(unit.points));
  SECTION("without rows") {
    line.rows.clear();
  }
  SECTION("a wrong id") {
    line.timing.unit[0] = line.timing.unit[0] == '0' ? '1' : '0';
  }
  SECTION("more queries than the config allows") {
    std::vector<Point> points = unit.points;
    points.front().num_queries = config.queries.max_queries + 1;
    line = line_of(unit, points);
  }
  REQUIRE_FALSE(is_found(config, line));
}

TEST_CASE("units_of_rows: a run that another theory planned can be read",
          "[output][units_of_rows]") {
  const test::TempFolder temp;
  const Config config = config_with(kRelativeError, kBestK);
  const Unit planned = expand(config).front();
  const UnitResult line = line_of(planned, with_other_k(planned.points));
  RunFolder folder(temp / "run", config);
  PartWriter(folder.parts()).write(line);
  RunData run = read_run(folder.path());
  REQUIRE(run.units.size() == 1);
  CHECK(run.units.front().id == line.timing.unit);
  CHECK(run.rows == line.rows);
  CHECK(run.num_finished_units == 1);

  SECTION("if the planned unit has run too, only its rows are read") {
    PartWriter(folder.parts()).write(test::made_up_result(planned));
    run = read_run(folder.path());
    REQUIRE(run.units.size() == 1);
    CHECK(run.units.front().id == planned.id);
    CHECK(run.rows == test::made_up_result(planned).rows);
    CHECK(run.num_finished_units == 1);
  }
  SECTION("a unit of an earlier config is not read") {
    const LeftOut retired = {.retired = {line.timing.unit}};
    const std::vector<Unit> units = expand(config);
    UnitsOfRows others(config, units);
    CHECK(scan_parts(folder.parts(), units, retired, &others).finished.empty());
  }
}

}  // namespace bloometry
