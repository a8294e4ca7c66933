#include "experiments/trial/sample_check.hpp"

#include <set>
#include <string>
#include <vector>

#include "experiments/unit/row_columns.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

Unit grid_unit(const std::string& id) {
  std::vector<std::uint64_t> num_inserted;
  for (std::uint64_t n = 100; n <= 1000; n += 100) num_inserted.push_back(n);
  Unit unit = test::small_unit("standard", 4'000,
                               test::grid(num_inserted, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 500));
  unit.id = id;
  return unit;
}

std::vector<TrialRow> rows_of(const Unit& unit, DigestStore& store) {
  return run_unit(unit, {.engine = Engine::kDirect, .digests = &store})->rows;
}

void change(std::string& value) {
  value += "x";
}

void change(std::uint64_t& value) {
  ++value;
}

void change(double& value) {
  value += 0.25;
}

template <class T>
void change(std::optional<T>& value) {
  value = value.value_or(T{}) + 1;
}

}  // namespace

TEST_CASE("sample_check: a row that differs in any column is refused by the column's name",
          "[experiments][trial]") {
  DigestStore store(1 << 24);
  const TrialRow row = rows_of(grid_unit("u"), store).front();
  REQUIRE_NOTHROW(require_equal(row, row));
  std::vector<std::string> columns;
  for_each_count(row, [&](std::string_view name, const auto&) { columns.emplace_back(name); });
  for (const std::string& column : columns) {
    TrialRow planted = row;
    for_each_count(planted, [&](std::string_view name, auto& value) {
      if (name == column) change(value);
    });
    try {
      require_equal(planted, row);
      FAIL("not refused: " << column);
    } catch (const EngineMismatch& mismatch) {
      INFO(mismatch.what());
      REQUIRE(std::string(mismatch.what()).find("differ: " + column + " ") != std::string::npos);
    }
  }
}

TEST_CASE("sample_check: a planted difference in a sampled point ends the run",
          "[experiments][trial]") {
  const Unit unit = grid_unit("u");
  DigestStore store(1 << 24);
  std::vector<TrialRow> rows = rows_of(unit, store);
  const std::set<std::string> always = {"u"};
  const TrialContext context{.digests = &store, .always_checked = &always};
  UnitRun run{unit, context};
  const std::vector<std::size_t> sample = sampled_points(unit, true);
  REQUIRE(sample.size() == 1);
  REQUIRE_NOTHROW(check_sample(run, rows));
  ++rows[sample.front()].num_false_positives;
  REQUIRE_THROWS_AS(check_sample(run, rows), EngineMismatch);
}

TEST_CASE(
    "sample_check: samples one point in two hundred, determined by the unit, and reaches every "
    "point",
    "[experiments][trial]") {
  std::uint64_t num_sampled = 0;
  std::set<std::size_t> seen;
  for (int i = 0; i < 4'000; ++i) {
    const Unit unit = grid_unit("unit " + std::to_string(i));
    const std::vector<std::size_t> sample = sampled_points(unit, false);
    REQUIRE(sample == sampled_points(unit, false));
    num_sampled += sample.size();
    const auto one = sampled_points(unit, true);
    REQUIRE(!one.empty());
    seen.insert(one.begin(), one.end());
  }
  // num_sampled is Bin(4000, 1/2) with sd 31.6. The probability of a deviation above 200 is below
  // 1e-9.
  REQUIRE(num_sampled > 1'800);
  REQUIRE(num_sampled < 2'200);
  REQUIRE(seen.size() > 80);  // the most expensive of a hundred must be drawn three times in a row
}

TEST_CASE("sample_check: the first unit of each variant and scheme is always checked",
          "[experiments][trial]") {
  std::vector<Unit> units = {grid_unit("a"), grid_unit("b"), grid_unit("c"), grid_unit("d")};
  units[1].probes = "distinct";
  units[3].variant = "partitioned";
  REQUIRE(always_checked_units(units) == std::set<std::string>{"a", "b", "d"});
}

}  // namespace bloometry
