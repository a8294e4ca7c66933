#include "experiments/sweep/run_sweep.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "experiments/output/run_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

SweepOutcome run(const Config& config, const SweepOptions& options,
                 const std::atomic<bool>& interrupted = false) {
  return run_sweep(config, options, interrupted, [](const SweepProgress&) {});
}

std::string trials_csv_of(const std::filesystem::path& folder) {
  return test::read_text(folder / "trials.csv");
}

/// Returns a config whose units run long enough to be interrupted.
Config long_config() {
  return config_from_json({{"name", "long"},
                           {"trials", 8},
                           {"queries", 1'500'000},
                           {"grids",
                            {{{"variant", "counting"},
                              {"num_keys", {10'000, 100'000}},
                              {"num_counters", 1'000'000},
                              {"num_hashes", {2, 4}}}}}});
}

}  // namespace

TEST_CASE("run_sweep: gives the same bytes for any number of threads", "[sweep]") {
  const test::TempFolder temp;
  const Config config = test::small_config("small", 5);
  for (const unsigned num_threads : {1U, 2U, 7U}) {
    const auto folder = temp / std::to_string(num_threads);
    const SweepOutcome outcome = run(config, {.folder = folder, .num_threads = num_threads});
    REQUIRE(outcome.num_rows == 30);
    REQUIRE(trials_csv_of(folder) == trials_csv_of(temp / "1"));
  }
}

TEST_CASE("run_sweep: every engine gives the same bytes", "[sweep]") {
  const test::TempFolder temp;
  const Config config = test::small_config();
  static_cast<void>(run(config, {.folder = temp / "auto"}));
  static_cast<void>(run(config, {.folder = temp / "direct", .engine = Engine::kDirect}));
  static_cast<void>(run(config, {.folder = temp / "naive", .engine = Engine::kNaive}));
  REQUIRE(trials_csv_of(temp / "direct") == trials_csv_of(temp / "auto"));
  REQUIRE(trials_csv_of(temp / "naive") == trials_csv_of(temp / "auto"));
}

TEST_CASE("run_sweep: a second run finds all units finished and measures nothing", "[sweep]") {
  const test::TempFolder temp;
  const Config config = test::small_config();
  static_cast<void>(run(config, {.folder = temp / "run"}));
  const std::string csv = trials_csv_of(temp / "run");
  std::filesystem::remove(temp / "run/trials.csv");
  const SweepOutcome again = run(config, {.folder = temp / "run"});
  REQUIRE(again.progress.num_found_finished == 6);
  REQUIRE(again.progress.num_finished == 0);
  REQUIRE(trials_csv_of(temp / "run") == csv);
  REQUIRE(list_parts(temp / "run/parts").size() == 1);
}

TEST_CASE("run_sweep: an interrupted run keeps finished units and ends with the same bytes",
          "[sweep]") {
  const test::TempFolder temp;
  const Config config = long_config();
  static_cast<void>(run(config, {.folder = temp / "whole"}));
  std::atomic<bool> interrupted = false;
  // Interrupts the run once the first unit is written.
  std::jthread watcher([&](const std::stop_token& stop) {
    const std::filesystem::path part = temp / "run/parts/000001.jsonl";
    std::error_code absent;
    while (!stop.stop_requested() && !interrupted) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      interrupted = std::filesystem::exists(part, absent) && std::filesystem::file_size(part) > 0;
    }
  });
  const SweepOutcome first = run(config, {.folder = temp / "run", .num_threads = 1}, interrupted);
  watcher.request_stop();
  REQUIRE(first.was_interrupted);
  REQUIRE(first.progress.num_finished > 0);
  const RunData between = read_run(temp / "run");
  REQUIRE(between.num_finished_units == first.progress.num_finished);
  REQUIRE(between.manifest.at("num_finished_units") == first.progress.num_finished);
  const SweepOutcome second = run(config, {.folder = temp / "run", .num_threads = 2});
  REQUIRE(second.progress.num_found_finished == first.progress.num_finished);
  REQUIRE_FALSE(second.was_interrupted);
  REQUIRE(trials_csv_of(temp / "run") == trials_csv_of(temp / "whole"));
}

TEST_CASE("run_sweep: an interrupt after the last unit leaves the run complete", "[sweep]") {
  const test::TempFolder temp;
  std::atomic<bool> interrupted = false;
  const SweepOutcome outcome = run_sweep(test::small_config(), {.folder = temp / "late"},
                                         interrupted, [&](const SweepProgress& progress) {
                                           if (progress.num_finished == progress.num_units)
                                             interrupted = true;
                                         });
  REQUIRE(interrupted);
  REQUIRE_FALSE(outcome.was_interrupted);
  REQUIRE(outcome.num_rows == 12);
  REQUIRE_FALSE(trials_csv_of(temp / "late").empty());
}

TEST_CASE("run_sweep: a run interrupted before its first unit can be continued", "[sweep]") {
  const test::TempFolder temp;
  const std::atomic<bool> interrupted = true;
  const SweepOutcome first = run(long_config(), {.folder = temp / "run"}, interrupted);
  REQUIRE(first.was_interrupted);
  REQUIRE_FALSE(std::filesystem::exists(temp / "run/trials.csv"));
}

TEST_CASE("run_sweep: progress ends with all planned units", "[sweep]") {
  const test::TempFolder temp;
  SweepProgress last;
  std::uint64_t num_calls = 0;
  static_cast<void>(run_sweep(test::small_config(), {.folder = temp / "run"}, false,
                              [&](const SweepProgress& progress) {
                                last = progress;
                                ++num_calls;
                              }));
  REQUIRE(num_calls >= 2);
  REQUIRE(last.num_units == 6);
  REQUIRE(last.num_finished == 6);
  REQUIRE(last.num_operations >= last.num_operations_planned);
  REQUIRE(last.num_operations_planned > 0);
}

TEST_CASE("run_sweep: a filter larger than the machine's memory is refused and leaves no folder",
          "[sweep]") {
  const test::TempFolder temp;
  const Config config = config_from_json(
      {{"name", "huge"},
       {"grids",
        {{{"variant", "standard"}, {"num_keys", 10}, {"num_bits", 1e15}, {"num_hashes", 20}}}}});
  const auto message = [&](std::uint64_t memory_bytes) {
    return test::message_of<ConfigError>([&] {
      static_cast<void>(run(config, {.folder = temp / "run", .max_memory_bytes = memory_bytes}));
    });
  };
  CHECK(test::contains_text(message(0), "max_memory must be at least 119209"));
  CHECK(test::contains_text(message(0), "(the default: three quarters of the machine's memory)"));
  // The request exceeds the machine's memory.
  CHECK(message(std::uint64_t{1} << 50U).starts_with("this machine has "));
  CHECK(message(std::uint64_t{1} << 50U)
            .ends_with("MiB of memory, but a unit (standard, num_bits=1000000000000000) needs "
                       "119209290MiB"));
  CHECK_FALSE(std::filesystem::exists(temp / "run"));
}

TEST_CASE("run_sweep: the bytes do not depend on the memory, and too little is refused",
          "[sweep]") {
  const test::TempFolder temp;
  const Config config = config_from_json({{"name", "budget"},
                                          {"trials", 3},
                                          {"queries", 60'000},
                                          {"grids",
                                           {{{"variant", "standard"},
                                             {"num_keys", {20'000, 40'000}},
                                             {"num_bits", {400'000, 4'000'000}},
                                             {"num_hashes", {2, 5}}}}}});
  const SweepOutcome roomy = run(config, {.folder = temp / "roomy", .num_threads = 3});
  CHECK(roomy.progress.num_threads == 3);
  for (const std::uint64_t mib : {6U, 8U, 12U, 20U}) {
    const auto folder = temp / std::to_string(mib);
    const SweepOutcome tight =
        run(config, {.folder = folder, .num_threads = 3, .max_memory_bytes = mib << 20U});
    CHECK(tight.progress.num_threads == (mib == 20 ? 3 : mib / 6));
    CHECK(trials_csv_of(folder) == trials_csv_of(temp / "roomy"));
  }
  const std::string message = test::message_of<ConfigError>([&] {
    static_cast<void>(run(config, {.folder = temp / "none", .max_memory_bytes = 1 << 20U}));
  });
  CHECK(test::contains_text(message, "max_memory must be at least "));
  CHECK_FALSE(std::filesystem::exists(temp / "none"));
}

TEST_CASE("run_sweep: an error in a unit ends the run and keeps earlier units", "[sweep]") {
  const test::TempFolder temp;
  Config config = test::small_config();
  static_cast<void>(run(config, {.folder = temp / "run"}));
  // The config names a key file that was deleted after the config was read.
  config = config_from_json(
      {{"name", "gone"},
       {"queries", 10},
       {"keys", {{{"file", "/nowhere"}, {"content_hash", "00"}}}},
       {"grids",
        {{{"variant", "standard"}, {"num_keys", 10}, {"num_bits", 64}, {"num_hashes", 2}}}}});
  REQUIRE_THROWS_AS(run(config, {.folder = temp / "gone"}), IoError);
}

}  // namespace bloometry
