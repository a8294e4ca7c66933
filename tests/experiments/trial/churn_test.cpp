#include "experiments/trial/churn.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "experiments/trial/run_unit.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

Unit churned_unit(const Churn& churn, std::vector<Point> points, std::uint64_t num_bits = 40'000) {
  Unit unit = test::small_unit("counting", num_bits, std::move(points));
  unit.churn = churn;
  return unit;
}

std::vector<TrialRow> rows_of(const Unit& unit) {
  DigestStore store(1 << 24);
  return run_unit(unit, {.engine = Engine::kDirect, .digests = &store})->rows;
}

}  // namespace

TEST_CASE("churn: erases and reinserts leave the number of keys that the shares give",
          "[experiments][trial]") {
  const auto present = [](const Churn& churn) {
    const auto num_stored = rows_of(churned_unit(churn, {{1000, 4, 100}})).front().num_stored;
    REQUIRE(num_stored == num_keys_after(churn, 1000));  // theory is evaluated at this number
    return num_stored;
  };
  REQUIRE(present({.rounds = 0, .erase = 0.5}) == 1000);
  REQUIRE(present({.rounds = 3, .erase = 0.2}) == 400);
  REQUIRE(present({.rounds = 3, .erase = 0.2, .reinsert = 0.05}) == 550);
  // At most the erased keys can be reinserted, and at most the present keys can be erased.
  REQUIRE(present({.rounds = 3, .erase = 0.2, .reinsert = 0.5}) == 1000);
  REQUIRE(present({.rounds = 7, .erase = 0.2}) == 0);
}

TEST_CASE("churn: without wrongful erases no erase is refused and no member is lost",
          "[experiments][trial]") {
  const Churn churn{.rounds = 10, .erase = 0.3, .reinsert = 0.25};
  for (const TrialRow& row : rows_of(churned_unit(churn, test::grid({100, 800}, {1, 4, 8}, 100)))) {
    REQUIRE(row.num_false_negatives == 0);
    REQUIRE(row.num_refused_erases == 0);
    REQUIRE(row.num_wrongful_erases == 0);
    REQUIRE(row.num_member_queries == row.num_stored);
  }
}

TEST_CASE("churn: a counting filter equals one that holds only the present keys",
          "[experiments][trial]") {
  // The state of the filter does not depend on the history (theory 3.1). Exactly the counters of
  // the present keys are non-zero.
  const Unit unit = churned_unit({.rounds = 4, .erase = 0.5, .reinsert = 0.2}, {{600, 5, 100}});
  DigestStore store(1 << 24);
  const TrialContext context{.engine = Engine::kDirect, .digests = &store};
  const UnitRun run{unit, context};
  const DigestList members = store.members(unit, 600);
  const FilterSpec spec = point_spec(unit, unit.points.front());
  AnyFilter churned = make_filter("counting", "remix", spec);
  churned.insert(*members);
  ChurnRun churn_run(run, churned, *members, unit.points.front(), store.queries(unit, 0, 0));
  churn_run.run();
  REQUIRE(churn_run.num_present() < 600);
  AnyFilter fresh = make_filter("counting", "remix", spec);
  for (std::uint64_t i = 0; i < churn_run.num_present(); ++i)
    fresh.insert({&churn_run.present(i), 1});
  REQUIRE(churned.state().num_ones == fresh.state().num_ones);
  REQUIRE(fresh.count_positives(*members) == churned.count_positives(*members));
}

TEST_CASE("churn: wrongful erases happen and lose members", "[experiments][trial]") {
  // 1000 keys in 4000 counters have a rate of 15 %, which gives enough candidates for wrongful
  // erases.
  const Churn churn{.rounds = 2, .erase = 0.1, .wrongful_erases = 0.5};
  const TrialRow row = rows_of(churned_unit(churn, {{1000, 4, 5'000}}, 16'000)).front();
  REQUIRE(row.num_wrongful_erases.value() > 50);
  REQUIRE(row.num_wrongful_erases.value() <= 100);
  REQUIRE(row.num_false_negatives > 0);
  SECTION("they stop when there are no candidates left") {
    const TrialRow few = rows_of(churned_unit(churn, {{1000, 4, 20}}, 16'000)).front();
    REQUIRE(few.num_wrongful_erases.value() < 20);
  }
  SECTION("a key whose erase is refused is still counted as present") {
    const Churn much{.rounds = 20, .erase = 0.5, .reinsert = 0.5, .wrongful_erases = 0.5};
    const TrialRow harmed = rows_of(churned_unit(much, {{1000, 4, 50'000}}, 16'000)).front();
    REQUIRE(harmed.num_refused_erases.value() > 0);
    REQUIRE(harmed.num_false_negatives > 0);
    // The churn is meant to erase 4 times 100 members.
    const Churn no_return{.rounds = 4, .erase = 0.2, .wrongful_erases = 0.5};
    const TrialRow row_left = rows_of(churned_unit(no_return, {{1000, 4, 50'000}}, 16'000)).front();
    REQUIRE(row_left.num_refused_erases.value() > 0);
    REQUIRE(row_left.num_stored == 1000 - 400 + row_left.num_refused_erases.value());
  }
}

TEST_CASE("churn: a variant that cannot erase is refused", "[experiments][trial]") {
  Unit unit = test::small_unit("standard", 1000, {{10, 3, 10}});
  unit.churn = Churn{.rounds = 1, .erase = 0.1};
  DigestStore store(1 << 20);
  REQUIRE_THROWS_AS(run_unit(unit, {.digests = &store}), ConfigError);
}

TEST_CASE("churn: draws cover their range evenly", "[experiments][trial]") {
  Draws draws(5);
  std::vector<int> counts(8);
  for (int i = 0; i < 8000; ++i) ++counts[draws.next(8)];
  // Each count is Bin(8000, 1/8) with sd 29.6. The probability of a deviation above 200 is below
  // 1e-10.
  REQUIRE(*std::min_element(counts.begin(), counts.end()) > 800);
  REQUIRE(*std::max_element(counts.begin(), counts.end()) < 1200);
}

}  // namespace bloometry
