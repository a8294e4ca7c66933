#include "experiments/output/run_folder.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/error.hpp"
#include "experiments/output/csv.hpp"
#include "experiments/output/part_writer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

std::string open_complaint(const fs::path& path, const Config& config) {
  return test::message_of<ConfigError>([&] { const RunFolder folder(path, config); });
}

std::string read_complaint(const fs::path& path) {
  return test::message_of<ConfigError>([&] { static_cast<void>(read_run(path)); });
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

void edit_json(const fs::path& path, const std::string& pointer, const nlohmann::json& value) {
  nlohmann::json json = nlohmann::json::parse(test::read_text(path));
  json[nlohmann::json::json_pointer(pointer)] = value;
  test::write_text(path, json.dump());
}

}  // namespace

TEST_CASE("run_folder: a new folder contains config, manifest and parts", "[output][run_folder]") {
  const test::TempFolder temp;
  const Config config = test::small_config();
  const RunFolder folder(temp / "a/b/run", config);
  REQUIRE(names_in(folder.path()) ==
          std::set<std::string>{"config.json", "manifest.json", "parts"});
  REQUIRE(nlohmann::json::parse(test::read_text(folder.path() / "config.json")) == to_json(config));
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "manifest.json"));
  for (const char* name : {"version", "git_revision", "compiler", "compiler_flags", "cpu", "caches",
                           "started", "seed", "config_hash", "rows_version", "num_rows"}) {
    INFO(name);
    REQUIRE(manifest.contains(name));
  }
}

TEST_CASE("run_folder: units are read back in order, with the missing ones counted",
          "[output][run_folder]") {
  const test::TempFolder temp;
  const Config config = test::small_config();
  const std::vector<Unit> units = expand(config);
  {
    const RunFolder folder(temp / "run", config);
    PartWriter writer(folder.parts());
    writer.write(test::made_up_result(units[2]));
    writer.write(test::made_up_result(units[0]));
  }
  const RunData run = read_run(temp / "run");
  REQUIRE(run.num_units == units.size());
  REQUIRE(run.num_finished_units == 2);
  REQUIRE(run.rows.size() == 4);
  REQUIRE(std::is_sorted(run.rows.begin(), run.rows.end()));
  REQUIRE(run.timings.size() == 2);
  REQUIRE(run.units.size() == units.size());
  REQUIRE(to_json(run.config) == to_json(config));
}

TEST_CASE("run_folder: tables do not depend on the order in which units came",
          "[output][run_folder]") {
  const test::TempFolder temp;
  const Config config = test::small_config();
  std::vector<Unit> units = expand(config);
  std::string first;
  for (const char* name : {"one", "two"}) {
    RunFolder folder(temp / name, config);
    PartWriter writer(folder.parts());
    for (const Unit& unit : units) writer.write(test::made_up_result(unit));
    REQUIRE(folder.write_tables(read_parts(folder.parts(), units)) == 2 * units.size());
    const std::string csv = test::read_text(temp / name / "trials.csv");
    REQUIRE((first.empty() || csv == first));
    first = csv;
    std::reverse(units.begin(), units.end());
  }
}

TEST_CASE("run_folder: a run with the same config is continued", "[output][run_folder]") {
  const test::TempFolder temp;
  { const RunFolder folder(temp / "run", test::small_config()); }
  const std::string manifest = test::read_text(temp / "run/manifest.json");
  { const RunFolder folder(temp / "run", test::small_config()); }
  REQUIRE(test::read_text(temp / "run/manifest.json") == manifest);
}

TEST_CASE("run_folder: every session records program and machine", "[output][run_folder]") {
  const test::TempFolder temp;
  for (int i = 0; i < 2; ++i) RunFolder(temp / "run", test::small_config()).begin_session();
  const auto manifest = nlohmann::json::parse(test::read_text(temp / "run/manifest.json"));
  REQUIRE(manifest.at("sessions").size() == 2);
  for (const nlohmann::json& session : manifest.at("sessions")) {
    for (const char* name : {"started", "version", "git_revision", "cpu", "isa"}) {
      INFO(name);
      REQUIRE(session.contains(name));
    }
  }
}

TEST_CASE("run_folder: another name or seed is refused", "[output][run_folder]") {
  const test::TempFolder temp;
  { const RunFolder folder(temp / "run", test::small_config("small")); }
  const std::string before = test::read_text(temp / "run/config.json");
  const std::string start = "run folder " + (temp / "run").string() + ": contains another config, ";
  REQUIRE(open_complaint(temp / "run", test::small_config("large")) ==
          start +
              R"(whose /name is "small", not "large"; give another --out, or remove the folder)");
  Config config = test::small_config("small");
  config.seed = 2;
  REQUIRE(open_complaint(temp / "run", config) ==
          start + "whose /seed is 1, not 2; give another --out, or remove the folder");
  REQUIRE(test::read_text(temp / "run/config.json") == before);
}

TEST_CASE("run_folder: a changed config keeps the finished units", "[output][run_folder]") {
  const test::TempFolder temp;
  const std::vector<Unit> units = expand(test::small_config("small", 2));
  {
    const RunFolder folder(temp / "run", test::small_config("small", 2));
    PartWriter writer(folder.parts());
    for (const Unit& unit : units) writer.write(test::made_up_result(unit));
  }
  { const RunFolder folder(temp / "run", test::small_config("small", 3)); }
  REQUIRE(read_run(temp / "run").num_units == 9);
  REQUIRE(read_run(temp / "run").num_finished_units == 6);
  {
    const RunFolder folder(temp / "run", test::small_config("small", 1), OtherRows::kReplace);
    const std::vector<Unit> fewer_units = expand(test::small_config("small", 1));
    const LeftOut left_out = {.retired = folder.retired_units()};
    REQUIRE(read_parts(folder.parts(), fewer_units, left_out).finished.size() == 3);
    REQUIRE_THROWS_AS(read_parts(folder.parts(), fewer_units), ConfigError);
  }
  const RunData fewer = read_run(temp / "run");
  REQUIRE(fewer.num_units == 3);
  REQUIRE(fewer.num_finished_units == 3);
  REQUIRE(fewer.rows.size() == 6);
  REQUIRE(fewer.manifest.at("config_hash") == config_hash(test::small_config("small", 1)));
  { const RunFolder folder(temp / "run", test::small_config("small", 2)); }
  REQUIRE(read_run(temp / "run").num_finished_units == 6);  // nothing was lost
}

TEST_CASE("run_folder: a config that drops finished rows is refused and changes nothing",
          "[output][run_folder]") {
  const test::TempFolder temp;
  {
    const RunFolder folder(temp / "run", test::small_config("small", 2));
    PartWriter writer(folder.parts());
    for (const Unit& unit : expand(test::small_config("small", 2))) {
      writer.write(test::made_up_result(unit));
    }
  }
  const auto contents = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(temp / "run")) {
      if (entry.is_regular_file()) files[entry.path().string()] = test::read_text(entry.path());
    }
    return files;
  };
  const auto before = contents();
  CHECK(open_complaint(temp / "run", test::small_config("small", 1)) ==
        "run folder " + (temp / "run").string() +
            ": 6 of its 12 rows are not rows of this config, which differs in /trials (1, not 2); "
            "give another --out, or --replace to drop them from trials.csv");
  CHECK(contents() == before);
  Config other = test::small_config("small", 2);
  other.question = "Why?";
  REQUIRE_NOTHROW(RunFolder(temp / "run", other));  // the rows stay
  CHECK(read_run(temp / "run").num_finished_units == 6);
}

TEST_CASE("run_folder: the question and the charts do not change the run's id",
          "[output][run_folder]") {
  Config config = test::small_config();
  const std::string id = run_id(config);
  config.question = "Why?";
  config.charts = {{.chart = "fill", .x = {}, .facet = {}}};
  REQUIRE(run_id(config) == id);
  config.trials += 1;
  REQUIRE(run_id(config) != id);
}

TEST_CASE("run_folder: another rows_version is refused", "[output][run_folder]") {
  const test::TempFolder temp;
  { const RunFolder folder(temp / "run", test::small_config()); }
  edit_json(temp / "run/manifest.json", "/rows_version", 999);
  const std::string expected = "run folder " + (temp / "run").string() +
                               ": rows_version of its manifest.json must be 1, got 999; a newer "
                               "version of bloometry wrote the run";
  REQUIRE(open_complaint(temp / "run", test::small_config()) == expected);
  REQUIRE(read_complaint(temp / "run") == expected);
}

TEST_CASE("run_folder: a second process is refused", "[output][run_folder]") {
  const test::TempFolder temp;
  {
    const RunFolder folder(temp / "run", test::small_config());
    REQUIRE(open_complaint(temp / "run", test::small_config()) ==
            "run folder " + (temp / "run").string() + ": is in use by another process");
  }
  REQUIRE_NOTHROW(RunFolder(temp / "run", test::small_config()));
}

TEST_CASE("run_folder: a folder without config is accepted while it has no units",
          "[output][run_folder]") {
  const test::TempFolder temp;
  { const RunFolder folder(temp / "run", test::small_config()); }
  std::filesystem::remove(temp / "run/config.json");
  REQUIRE_NOTHROW(RunFolder(temp / "run", test::small_config()));
  REQUIRE(std::filesystem::exists(temp / "run/config.json"));
  test::write_text(temp / "run/parts/000001.jsonl", "{}\n");
  std::filesystem::remove(temp / "run/config.json");
  REQUIRE(open_complaint(temp / "run", test::small_config()) ==
          "run folder " + (temp / "run").string() + ": is not empty and does not contain a run");
}

TEST_CASE("run_folder: a folder with other files is refused and not changed",
          "[output][run_folder]") {
  const test::TempFolder temp;
  fs::create_directory(temp / "mine");
  test::write_text(temp / "mine/thesis.tex", "years of work");
  REQUIRE(test::contains_text(open_complaint(temp / "mine", test::small_config()),
                              "is not empty and does not contain a run"));
  REQUIRE(names_in(temp / "mine") == std::set<std::string>{"thesis.tex"});
}

TEST_CASE("run_folder: an invalid path is refused and nothing is created", "[output][run_folder]") {
  const test::TempFolder temp;
  test::write_text(temp / "file", "");
  REQUIRE(test::contains_text(open_complaint(temp / "file", test::small_config()),
                              "run folder must be "));
  REQUIRE(test::contains_text(open_complaint(temp / "file/run", test::small_config()),
                              "run folder must be a folder that can be created or written"));
  const std::string endless(300, 'x');
  REQUIRE(test::contains_text(open_complaint(temp / ("new/" + endless), test::small_config()),
                              ": File name too long"));
  REQUIRE(names_in(temp.path()) == std::set<std::string>{"file"});
}

TEST_CASE("run_folder: a process killed before it wrote its config leaves a usable folder",
          "[output][run_folder]") {
  const test::TempFolder temp;
  fs::create_directories(temp / "run/parts");
  test::write_text(temp / "run/parts/lock", "");
  test::write_text(temp / "run/.bloometry-0123456789abcdef.tmp", "{");
  { const RunFolder folder(temp / "run", test::small_config()); }
  REQUIRE(names_in(temp / "run") == std::set<std::string>{"config.json", "manifest.json", "parts"});
}

TEST_CASE("run_folder: folders without a run or with a damaged run are errors",
          "[output][run_folder]") {
  const test::TempFolder temp;
  REQUIRE(test::contains_text(read_complaint(temp / "none"), "does not contain a run"));
  { const RunFolder folder(temp / "run", test::small_config()); }
  SECTION("config.json is not JSON") {
    test::write_text(temp / "run/config.json", "{");
    REQUIRE(test::contains_text(read_complaint(temp / "run"),
                                "config.json: line 1, column 2: must be JSON: unexpected end of "
                                "input"));
  }
  SECTION("config.json is not a config") {
    edit_json(temp / "run/config.json", "/grids/0/variant", "nonsense");
    REQUIRE(test::contains_text(read_complaint(temp / "run"),
                                "config.json: /grids/0/variant: must be one of"));
  }
  SECTION("manifest.json is missing") {
    fs::remove(temp / "run/manifest.json");
    REQUIRE(test::contains_text(read_complaint(temp / "run"), "manifest.json is missing"));
  }
  SECTION("manifest.json is not an object") {
    test::write_text(temp / "run/manifest.json", "[]");
    REQUIRE(test::contains_text(read_complaint(temp / "run"),
                                "rows_version of its manifest.json must be 1, got none"));
  }
}

TEST_CASE("file: devices, folders and pipes are refused, links to regular files are read",
          "[output][file]") {
  const test::TempFolder temp;
  const auto complaint = [&](const std::string& name) {
    return test::message_of<ConfigError>([&] { static_cast<void>(read_file(temp / name)); });
  };
  test::write_text(temp / "file", "text");
  fs::create_directory(temp / "folder");
  fs::create_symlink("file", temp / "link");
  fs::create_symlink("/dev/zero", temp / "endless");
  REQUIRE(::mkfifo((temp / "fifo").c_str(), 0600) == 0);
  CHECK(read_file(temp / "link") == "text");
  CHECK(complaint("fifo") == (temp / "fifo").string() + " must be a regular file, got a FIFO");
  CHECK(test::contains_text(complaint("folder"), "must be a regular file, got a folder"));
  CHECK(test::contains_text(complaint("endless"), "must be a regular file, got a device"));
  CHECK_THROWS_AS(replace_file(temp / "fifo", "new"), ConfigError);
  CHECK_THROWS_AS(static_cast<void>(read_file(temp / "none")), IoError);
}

TEST_CASE("file: a replaced file has the new content, and no temporary file remains",
          "[output][file]") {
  const test::TempFolder temp;
  replace_file(temp / "a.csv", "old");
  replace_file(temp / "a.csv", "new");
  REQUIRE(test::read_text(temp / "a.csv") == "new");
  REQUIRE(names_in(temp.path()) == std::set<std::string>{"a.csv"});
  fs::create_directory(temp / "b.csv");  // a file cannot replace a folder
  REQUIRE_THROWS_AS(replace_file(temp / "b.csv", "new"), ConfigError);
  REQUIRE(names_in(temp.path()) == std::set<std::string>{"a.csv", "b.csv"});
}

}  // namespace bloometry
