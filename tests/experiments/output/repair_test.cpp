#include "experiments/output/repair.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/part_writer.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/output/unit_line.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// A finished run of made-up units in two part files. The hash of the first part file is not
/// recorded.
struct Run {
  Run() {
    RunFolder folder(path(), config);
    write(folder, 0, 3, false);
    write(folder, 3, units.size(), true);
    folder.write_tables(read_parts(folder.parts(), units));
  }

  /// Writes the part file of one process. Also records the hash of the file if `ends_well` is true.
  void write(RunFolder& folder, std::size_t first, std::size_t last, bool ends_well) const {
    PartWriter writer(folder.parts());
    for (std::size_t i = first; i < last; ++i) writer.write(test::made_up_result(units[i]));
    if (ends_well) folder.keep_hash(*writer.written());
  }

  /// Writes the results of the missing units, as a resumed sweep does.
  void finish() const {
    RunFolder folder(path(), config);
    const FinishedUnits finished = read_parts(folder.parts(), units).finished;
    PartWriter writer(folder.parts());
    for (const Unit& unit : units) {
      if (!finished.contains(unit.id)) writer.write(test::made_up_result(unit));
    }
    if (writer.written()) folder.keep_hash(*writer.written());
    folder.write_tables(read_parts(folder.parts(), units));
  }

  [[nodiscard]] std::string line(std::size_t unit) const {
    return to_line(test::made_up_result(units[unit]));
  }

  /// Returns a valid line of the unit with a wrong count of false positives.
  [[nodiscard]] std::string other_line(std::size_t unit) const {
    UnitResult result = test::made_up_result(units[unit]);
    ++result.rows.front().num_false_positives;
    return to_line(result);
  }

  /// Returns the names and states of all part files, for instance "000001.jsonl intact".
  [[nodiscard]] std::string states() const {
    std::string text;
    for (const auto& [name, state] : check_files(read_run(path()))) {
      text.append(text.empty() ? "" : ", ").append(fs::path(name).filename().string());
      text.append(" ").append(name_of(state));
    }
    return text;
  }

  [[nodiscard]] fs::path path() const { return temp / "run"; }

  [[nodiscard]] fs::path part(int number) const {
    return path() / "parts" / ("00000" + std::to_string(number) + ".jsonl");
  }

  [[nodiscard]] std::string manifest() const { return test::read_text(path() / "manifest.json"); }

  test::TempFolder temp;
  Config config = test::small_config();
  std::vector<Unit> units = expand(config);
};

const std::string kUntouched = "000001.jsonl unhashed, 000002.jsonl intact, trials.csv intact";

}  // namespace

TEST_CASE("repair: a folder without damage is not changed", "[output][repair]") {
  const Run run;
  const std::string manifest = run.manifest();
  REQUIRE(run.states() == kUntouched);
  const Repair repair = repair_run(run.path());
  CHECK(repair.found_nothing());
  CHECK(repair.num_finished_units == run.units.size());
  CHECK(run.manifest() == manifest);
}

TEST_CASE("repair: dropped lines are kept in a file, and the next run gives the same rows",
          "[output][repair]") {
  const Run run;
  const std::string trials = test::read_text(run.path() / "trials.csv");
  const auto repair_and_finish = [&](std::size_t num_dropped, std::size_t num_lost) {
    const Repair repair = repair_run(run.path());
    CHECK(repair.dropped.size() == num_dropped);
    CHECK(repair.lost.size() == num_lost);
    CHECK(repair.num_finished_units == run.units.size() - num_lost);
    CHECK(repair_run(run.path()).found_nothing());
    run.finish();
    CHECK(test::read_text(run.path() / "trials.csv") == trials);
  };
  SECTION("an unreadable line in a part without a hash") {
    test::write_text(run.part(1), run.line(0) + "[" + run.line(1) + run.line(2));
    repair_and_finish(1, 1);
    CHECK(test::read_text(run.path() / "parts/000001.jsonl.damaged") == "[" + run.line(1));
    CHECK(test::read_text(run.part(1)) == run.line(0) + run.line(2));
    CHECK(run.states() ==
          "000001.jsonl repaired, 000002.jsonl intact, 000003.jsonl intact, trials.csv intact");
  }
  SECTION("a superfluous line: the rest equals the hash") {
    test::write_text(run.part(2), test::read_text(run.part(2)) + "garbage\n");
    repair_and_finish(1, 0);
    CHECK(run.states() == kUntouched);
  }
  SECTION("a torn end") {
    test::write_text(run.part(1), test::read_text(run.part(1)) + "{\"rows\"");
    repair_and_finish(1, 0);
  }
  SECTION("two contradicting lines of a unit") {
    test::write_text(run.part(1), test::read_text(run.part(1)) + run.other_line(4));
    repair_and_finish(2, 1);
  }
  SECTION("a changed count in a part with a hash") {
    std::string text = run.other_line(3);
    for (std::size_t i = 4; i < run.units.size(); ++i) text += run.line(i);
    test::write_text(run.part(2), text);
    REQUIRE(run.states() == "000001.jsonl unhashed, 000002.jsonl changed, trials.csv intact");
    repair_and_finish(run.units.size() - 3, run.units.size() - 3);
    CHECK(run.states() ==
          "000001.jsonl unhashed, 000002.jsonl repaired, 000003.jsonl intact, trials.csv intact");
  }
  SECTION("a changed count in a part without a hash") {
    test::write_text(run.part(1), run.other_line(0) + run.line(1) + run.line(2));
    REQUIRE(run.states() == "000001.jsonl suspect, 000002.jsonl intact, trials.csv intact");
    repair_and_finish(3, 3);
  }
  SECTION("a missing part with a hash") {
    fs::remove(run.part(2));
    CHECK(repair_run(run.path()).missing == std::vector<std::string>{"parts/000002.jsonl"});
    CHECK(repair_run(run.path()).found_nothing());
    run.finish();
    CHECK(run.states() == kUntouched);
  }
}

TEST_CASE("repair: an emptied part stops a run until repair removes its hash", "[output][repair]") {
  const Run run;
  test::write_text(run.part(2), "");
  CHECK(run.states() == "000001.jsonl unhashed, 000002.jsonl changed");
  CHECK_THROWS_AS(require_unchanged_parts(read_run(run.path())), ConfigError);
  CHECK(repair_run(run.path()).missing == std::vector<std::string>{"parts/000002.jsonl"});
  CHECK_NOTHROW(require_unchanged_parts(read_run(run.path())));
  CHECK(repair_run(run.path()).found_nothing());
}

TEST_CASE("repair: dropped lines do not replace those of an earlier repair", "[output][repair]") {
  const Run run;
  for (const char* name : {"000001.jsonl.damaged", "000001.jsonl.damaged.2"}) {
    test::write_text(run.part(1), run.line(0) + name + "\n");
    CHECK(repair_run(run.path()).kept_in == std::vector{run.path() / "parts" / name});
    CHECK(test::read_text(run.path() / "parts" / name) == std::string(name) + "\n");
  }
  CHECK(test::read_text(run.path() / "parts/000001.jsonl.damaged") == "000001.jsonl.damaged\n");
}

TEST_CASE("repair: can be repeated if it was killed before it replaced the part",
          "[output][repair]") {
  const Run run;
  std::string damaged;
  SECTION("with an unreadable line") {
    damaged = run.line(3) + "[" + run.line(4);
  }
  SECTION("with a changed count") {
    damaged = run.line(3) + run.other_line(4);
  }
  test::write_text(run.part(2), damaged);
  static_cast<void>(repair_run(run.path()));
  const std::string repaired = test::read_text(run.part(2));
  const std::string states = run.states();
  test::write_text(run.part(2), damaged);
  CHECK_FALSE(repair_run(run.path()).found_nothing());
  CHECK(test::read_text(run.part(2)) == repaired);
  CHECK(run.states() == states);
  CHECK(repair_run(run.path()).found_nothing());
}

TEST_CASE("repair: a trials.csv made from changed rows loses its hash", "[output][repair]") {
  const Run run;
  SECTION("made before the change was found") {
    test::write_text(run.part(2), run.other_line(3));
    run.finish();
    CHECK(run.states() ==
          "000001.jsonl unhashed, 000002.jsonl changed, 000003.jsonl intact, trials.csv changed");
  }
  SECTION("made from a part without a hash") {
    nlohmann::json manifest = nlohmann::json::parse(run.manifest());
    manifest["hashes"].erase("trials.csv");
    test::write_text(run.path() / "manifest.json", manifest.dump());
    test::write_text(run.part(1), run.other_line(0) + run.line(1) + run.line(2));
    run.finish();
    CHECK(run.states() == kUntouched);  // the change is not detectable
    test::write_text(run.part(1), "garbage\n" + run.line(1) + run.line(2));
    static_cast<void>(repair_run(run.path()));
    run.finish();
    CHECK(run.states() ==
          "000001.jsonl suspect, 000002.jsonl intact, 000003.jsonl intact, trials.csv changed");
  }
  static_cast<void>(repair_run(run.path()));
  run.finish();
  for (const auto& [name, state] : check_files(read_run(run.path()))) {
    INFO(name << " " << name_of(state));
    CHECK_FALSE(is_fault(state));
  }
}

TEST_CASE("repair: a folder in use and a folder without a run are refused", "[output][repair]") {
  const Run run;
  {
    const RunFolder folder(run.path());
    CHECK(test::message_of<ConfigError>([&] { static_cast<void>(repair_run(run.path())); }) ==
          "run folder " + run.path().string() + ": is in use by another process");
  }
  CHECK_THROWS_AS(static_cast<void>(repair_run(run.temp / "none")), ConfigError);
  CHECK_FALSE(fs::exists(run.temp / "none"));
}

}  // namespace bloometry
