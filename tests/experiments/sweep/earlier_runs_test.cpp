#include "experiments/sweep/earlier_runs.hpp"

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/sweep/run_sweep.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

SweepOutcome run_once(const Config& config, const SweepOptions& options) {
  static const std::atomic<bool> interrupted{false};
  return run_sweep(config, options, interrupted, [](const SweepProgress&) {});
}

std::set<std::string> ids_of(const Config& config) {
  std::set<std::string> ids;
  for (const Unit& unit : expand(config)) ids.insert(unit.id);
  return ids;
}

/// Returns a config of partitioned filters. The memory of partitioned filters depends on k, so rows
/// and points have different orders.
Config config_of(std::uint64_t trials, const std::string& name = "small") {
  return config_from_json({{"name", name},
                           {"trials", trials},
                           {"queries", 1000},
                           {"grids",
                            {{{"variant", "partitioned"},
                              {"num_keys", {10, 20}},
                              {"num_bits", {100, 101}},
                              {"num_hashes", {2, 3, 7}}}}}});
}

}  // namespace

TEST_CASE("earlier_runs: only new trials are measured, and the table equals that of a whole run",
          "[sweep]") {
  const test::TempFolder temp;
  static_cast<void>(run_once(config_of(2), {.folder = temp / "two"}));
  static_cast<void>(run_once(config_of(5), {.folder = temp / "five"}));
  const auto runs = runs_beside(temp / "reused");
  REQUIRE(runs.size() == 2);
  const SweepOutcome outcome =
      run_once(config_of(5), {.folder = temp / "reused", .earlier_runs = {temp / "two"}});
  REQUIRE(outcome.progress.num_reused == 4);
  REQUIRE(outcome.progress.num_finished == 6);
  REQUIRE(test::read_text(temp / "reused/trials.csv") == test::read_text(temp / "five/trials.csv"));
  REQUIRE(read_run(temp / "reused").manifest.at("reused").at("two") == 4);
}

TEST_CASE("earlier_runs: a larger config in the same folder measures only new units", "[sweep]") {
  const test::TempFolder temp;
  static_cast<void>(run_once(config_of(2), {.folder = temp / "run"}));
  const SweepOutcome outcome = run_once(config_of(5), {.folder = temp / "run"});
  REQUIRE(outcome.progress.num_found_finished == 4);
  REQUIRE(outcome.progress.num_finished == 6);
  static_cast<void>(run_once(config_of(5), {.folder = temp / "five"}));
  REQUIRE(test::read_text(temp / "run/trials.csv") == test::read_text(temp / "five/trials.csv"));
}

TEST_CASE("earlier_runs: a unit in two runs is found once", "[sweep]") {
  const test::TempFolder temp;
  static_cast<void>(run_once(config_of(2), {.folder = temp / "two"}));
  static_cast<void>(run_once(config_of(3), {.folder = temp / "three"}));
  const auto found =
      find_earlier_units({temp / "two", temp / "three"}, config_of(4), ids_of(config_of(4)));
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].results.size() == 4);
  REQUIRE(found[1].results.size() == 2);
  REQUIRE(count_units(found) == 6);
}

TEST_CASE("earlier_runs: untrusted runs are ignored", "[sweep]") {
  const test::TempFolder temp;
  static_cast<void>(run_once(config_of(2), {.folder = temp / "run"}));
  const auto count_found = [&](const Config& config) {
    return count_units(find_earlier_units({temp / "run"}, config, ids_of(config)));
  };
  REQUIRE(count_found(config_of(2)) == 4);
  SECTION("another name") {
    REQUIRE(count_found(config_of(2, "large")) == 0);
  }
  SECTION("another seed") {
    Config config = config_of(2);
    config.seed = 2;
    REQUIRE(count_found(config) == 0);
  }
  SECTION("a changed part") {
    std::string part = test::read_text(temp / "run/parts/000001.jsonl");
    char& digit = part[part.find("\"hash_s\":") + 9];
    digit = digit == '1' ? '2' : '1';
    test::write_text(temp / "run/parts/000001.jsonl", part);
    REQUIRE(count_found(config_of(2)) == 0);
  }
  SECTION("no manifest") {
    std::filesystem::remove(temp / "run/manifest.json");
    REQUIRE(count_found(config_of(2)) == 0);
  }
}

}  // namespace bloometry
