#include "experiments/plan/config.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/key_source_fields.hpp"
#include "test_folders.hpp"
#include "tests/experiments/plan/config_problems.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::config_tests {

TEST_CASE("config: defaults are filled in", "[plan][config]") {
  const Config config = load(smallest_config());
  REQUIRE(config.seed == 1);
  REQUIRE(config.trials == 1);
  REQUIRE(config.queries.num_queries == 1'000'000);
  REQUIRE(config.keys == std::vector{KeySource{.name = "random"}});
  REQUIRE(config.hashes == std::vector<std::string>{"xxh3"});
  REQUIRE(config.probes == std::vector<std::string>{"remix"});
  REQUIRE(config.charts.empty());
}

TEST_CASE("config: the example of the documentation is valid", "[plan][config]") {
  const Json json = Json::parse(R"({
      "name": "fpr_vs_theory", "question": "...", "seed": 20261120, "trials": 5,
      "queries": {"relative_error": 0.02, "confidence": 0.95, "max_queries": 1e9},
      "keys": ["random", "sequential", "decimal", "url"], "hash": ["xxh3"],
      "probes": ["remix", "double_mod"],
      "grids": [{"variant": ["counting"], "num_keys": {"from": 1e3, "to": 1e4, "steps": 3},
                 "capacity": 1000000, "bits_per_key": [32, 40], "num_hashes": "optimal",
                 "params": {"counter_bits": 4},
                 "churn": {"rounds": 10, "erase": 0.2, "reinsert": 0.5, "wrongful_erases": 0.0}}],
      "report": [{"chart": "rate_vs_theory", "x": "num_inserted", "facet": "bits_per_key"},
                 {"chart": "relative_error_heatmap"}]})");
  REQUIRE(problems_of(json).empty());
}

TEST_CASE("config: key sources given by name are read and written back", "[plan][config]") {
  Json json = smallest_config();
  json["keys"] = synthetic_key_names();
  REQUIRE(json["keys"].size() == 10);
  REQUIRE(to_json(load(json))["keys"] == json["keys"]);
}

TEST_CASE("config: a key file is read when the config is checked", "[plan][config]") {
  const test::TempFolder folder;
  Json json = smallest_config();
  json["keys"] = {{{"file", "keys.txt"}}};
  json["queries"] = 4;
  json["grids"][0]["num_keys"] = {1, 3};
  const auto problem = [&] {
    test::write_text(folder / "config.json", json.dump());
    try {
      static_cast<void>(expand(load_config(folder / "config.json")));
    } catch (const ConfigFileError& error) {
      return error.problems().front().line();
    }
    return std::string("none");
  };
  SECTION("missing file") {
    REQUIRE(problem().starts_with("/keys/0/file: cannot open key file "));
  }
  SECTION("too few lines: the error states the required number") {
    test::write_text(folder / "keys.txt", "a\nb\na\nc\nd\ne\nf\n");
    REQUIRE(problem() ==
            "/keys: file:keys.txt must have at least 7 distinct lines (3 members and 4 queries), "
            "got 6 (duplicates dropped: 1); reduce /queries");
  }
  SECTION("empty") {
    test::write_text(folder / "keys.txt", "");
    REQUIRE(problem() ==
            "/keys: file:keys.txt must have at least 7 distinct lines (3 members and 4 queries), "
            "got 0 (duplicates dropped: 0); reduce /queries");
  }
  SECTION("too few candidates for wrongful erases, which are as many as the queries") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    json["grids"][0] = {{"variant", "counting"},
                        {"num_keys", {1, 3}},
                        {"num_counters", 64},
                        {"num_hashes", 2},
                        {"churn", {{"rounds", 1}, {"erase", 0.5}, {"wrongful_erases", 0.1}}}};
    REQUIRE(
        problem().ends_with("at least 11 distinct lines (3 members and 8 queries), got 7 "
                            "(duplicates dropped: 0); reduce /queries"));
  }
  SECTION("too few lines for a relative error: the error states the limit") {
    test::write_text(folder / "keys.txt", "a\nb\na\nc\nd\ne\nf\n");
    json["queries"] = {{"relative_error", 0.01}};
    REQUIRE(problem().ends_with("; reduce /queries/max_queries"));
  }
  SECTION("a label is kept, and does not change a unit or a run") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    REQUIRE(problem() == "none");
    const Config plain = load_config(folder / "config.json");
    json["keys"][0]["label"] = "my words";
    REQUIRE(problem() == "none");
    const Config labelled = load_config(folder / "config.json");
    REQUIRE(labelled.keys.front().label == "my words");
    REQUIRE(to_json(labelled)["keys"][0]["label"] == "my words");
    REQUIRE(run_id(labelled) == run_id(plain));
    REQUIRE(expand(labelled).front().id == expand(plain).front().id);
  }
  SECTION("labels are short texts, and a file has a single label") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    const std::string allowed = "/keys/0/label: must be a string of 1 to 40 bytes without control ";
    for (const std::string& bad :
         {std::string(), std::string(41, 'x'), std::string("two\nlines")}) {
      json["keys"][0]["label"] = bad;
      REQUIRE(problem().starts_with(allowed));
    }
    json["keys"][0]["label"] = "one";
    json["keys"].push_back({{"file", "keys.txt"}, {"label", "two"}});
    REQUIRE(problem() ==
            "/keys/1/label: must be 'one', the label of the same file in an earlier "
            "entry, got 'two'");
  }
  SECTION("labels differ, and are not names of other keys") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    test::write_text(folder / "more.txt", "a\nb\nc\nd\ne\nf\ng\nh");
    json["keys"][0]["label"] = "words";
    json["keys"].push_back({{"file", "more.txt"}, {"label", "words"}});
    REQUIRE(problem() == "/keys/1/label: must differ from that of file:keys.txt, got 'words'");
    for (const char* name : {"random", "zipf:1", "file:more.txt"}) {
      json["keys"][1]["label"] = name;
      REQUIRE(problem() ==
              "/keys/1/label: must not be the name of other keys, got '" + std::string(name) + "'");
    }
    json["keys"][1]["label"] = "other words";
    REQUIRE(problem() == "none");
  }
  SECTION("enough lines, with a path relative to the config's folder") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    REQUIRE(problem() == "none");
    const Config config = load_config(folder / "config.json");
    REQUIRE(config.keys.front().name == "file:keys.txt");
    REQUIRE(config.keys.front().path == (folder / "keys.txt").string());
    REQUIRE(config.keys.front().content_hash.size() == 32);
  }
  SECTION("file changed since the run was resolved") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    json["keys"][0]["content_hash"] = std::string(32, '0');
    REQUIRE(problem().starts_with("/keys/0/content_hash: must be "));
  }
}

TEST_CASE("config: optimal is written as optimal_at_num_keys or optimal_at_capacity",
          "[plan][config]") {
  Json json = smallest_config();
  Json& grid = json["grids"][0];
  const auto written = [&] { return to_json(load(json))["grids"][0]["num_hashes"]; };
  grid["num_hashes"] = "optimal";
  REQUIRE(written() == "optimal_at_num_keys");
  grid["capacity"] = 1000;
  REQUIRE(written() == "optimal_at_capacity");
  grid["num_hashes"] = "optimal_at_num_keys";
  REQUIRE(written() == "optimal_at_num_keys");
  Json resolved = to_json(load(json));
  resolved["grids"][0]["num_hashes"] = "optimal";  // the name in configs of older runs
  REQUIRE(to_json(config_from_json(resolved)) == to_json(load(json)));
  grid.erase("capacity");
  grid["num_hashes"] = "optimal_at_capacity";
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/capacity: must be given with num_hashes \"optimal_at_capacity\": the "
                   "number of keys for which filters are sized"});
}

TEST_CASE("config: a written config is read as the same plan", "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["variant"] = {"standard", "counting"};
  json["grids"][0]["num_keys"] = {1000, 10};
  json["grids"][0]["params"] = {{"counter_bits", 8}};
  json["report"] = {{{"chart", "fill"}, {"x", "num_inserted"}}};
  json["queries"] = {{"relative_error", 0.1}};
  const Config config = load(json);
  const Json resolved = to_json(config);
  REQUIRE(to_json(config_from_json(resolved)) == resolved);
  REQUIRE(run_id(config_from_json(resolved)) == run_id(config));
  const std::vector<Unit> units = expand(config);
  const std::vector<Unit> again = expand(config_from_json(resolved));
  REQUIRE(std::equal(units.begin(), units.end(), again.begin(), again.end(),
                     [](const Unit& a, const Unit& b) { return a.id == b.id; }));
  REQUIRE(resolved["grids"][1]["params"] == Json({{"counter_bits", 8}, {"saturation", "sticky"}}));
  REQUIRE(resolved["grids"][0]["num_keys"] == Json({10, 1000}));
  REQUIRE(resolved["seed"] == 1);
}

TEST_CASE("config: every shipped config is valid", "[plan][config]") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::kConfigFolder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name == "schema.json") continue;
    if (name == "real_keys.json" && !std::filesystem::exists("/usr/share/ieee-data/oui.csv")) {
      WARN("skipped: real_keys.json needs the package ieee-data");
      continue;
    }
    INFO(name);
    REQUIRE_NOTHROW(load_config(entry.path()));
  }
}

}  // namespace bloometry::config_tests
