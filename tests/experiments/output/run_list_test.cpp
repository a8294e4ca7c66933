#include "experiments/output/run_list.hpp"

#include "core/error.hpp"
#include "experiments/output/part_writer.hpp"
#include "experiments/output/run_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;

namespace {

/// Writes a run of which the first `num_finished` units are finished.
void write_run(const std::filesystem::path& path, std::size_t num_finished) {
  const Config config = test::small_config();
  const std::vector<Unit> units = expand(config);
  RunFolder folder(path, config);
  PartContents contents;
  for (std::size_t i = 0; i < num_finished; ++i) {
    contents.finished.emplace(units[i].id, test::made_up_result(units[i]));
  }
  if (num_finished == units.size()) {
    folder.write_tables(contents);
  } else {
    folder.write_counts(num_finished, count_rows(contents.finished));
  }
}

}  // namespace

TEST_CASE("run_list: lists the runs of a sweep and of results/ with their states", "[output]") {
  const test::TempFolder temp;
  write_run(temp / "results/b/2", 2);
  write_run(temp / "results/a/1", 6);
  std::filesystem::create_directories(temp / "results/empty/folder");
  const std::vector<ListedRun> runs = runs_below(temp / "results");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].folder == temp / "results/a/1");
  CHECK(runs[0].is_complete);
  CHECK(runs[0].num_finished_units == 6);
  CHECK(runs[0].num_rows == 12);
  CHECK(runs[1].folder == temp / "results/b/2");
  CHECK_FALSE(runs[1].is_complete);
  CHECK(runs[1].num_finished_units == 2);
  CHECK(runs_below(temp / "results/b").size() == 1);
}

TEST_CASE("run_list: a copy without parts is listed as such and cannot be read", "[output]") {
  const test::TempFolder temp;
  write_run(temp / "runs/1", 6);
  CHECK(runs_below(temp / "runs").front().has_parts);
  std::filesystem::remove_all(temp / "runs/1/parts");
  CHECK_FALSE(runs_below(temp / "runs").front().has_parts);
  const std::string message =
      test::message_of<ConfigError>([&] { (void)read_run(temp / "runs/1"); });
  CHECK(message.ends_with(
      ": parts/ is missing, so that this copy of a run contains only its "
      "tables; `bloometry sweep run " +
      (temp / "runs/1/config.json").string() + " --out DIR` measures the rows again"));
}

TEST_CASE("run_list: a run with a damaged manifest is listed, and other folders are empty",
          "[output]") {
  const test::TempFolder temp;
  write_run(temp / "runs/1", 6);
  test::write_text(temp / "runs/1/manifest.json", GENERATE("{", "[]"));
  REQUIRE(runs_below(temp / "runs").size() == 1);
  CHECK_FALSE(runs_below(temp / "runs").front().is_complete);
  CHECK(runs_below(temp / "runs/1").empty());
  CHECK(runs_below(temp / "absent").empty());
}
