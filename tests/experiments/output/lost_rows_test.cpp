#include "experiments/output/lost_rows.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

using Json = nlohmann::json;

/// Returns a resolved config with one value changed.
Json config_with(const std::string& pointer = "/name", const Json& value = "a") {
  Json json = Json::parse(R"({"name": "a", "trials": 2, "queries": 1000, "grids": [
      {"variant": "standard", "num_keys": [100, 200], "num_bits": 8192, "num_hashes": [3, 5]}]})");
  json[Json::json_pointer(pointer)] = value;
  return to_json(config_from_json(json));
}

/// Returns a run in which every unit of the config is finished.
RunData finished_run(const Json& json) {
  RunData run;
  run.units = expand(config_from_json(json));
  for (const Unit& unit : run.units) run.timings.emplace_back().unit = unit.id;
  return run;
}

/// Returns the number of rows that are lost when the config is changed.
std::uint64_t num_lost(const std::string& pointer, const Json& value) {
  return count_lost_rows(finished_run(config_with()),
                         expand(config_from_json(config_with(pointer, value))));
}

}  // namespace

TEST_CASE("lost_rows: an extended config keeps all rows", "[output]") {
  CHECK(num_lost("/name", "a") == 0);
  CHECK(num_lost("/trials", 3) == 0);
  CHECK(num_lost("/grids/0/num_keys", {100, 150, 200}) == 0);
  CHECK(num_lost("/grids/0/num_hashes", {2, 3, 5}) == 0);
  CHECK(num_lost("/grids/0/variant", {"standard", "partitioned"}) == 0);
  CHECK(num_lost("/question", "why?") == 0);
}

TEST_CASE("lost_rows: counts the rows that another config does not have", "[output]") {
  CHECK(num_lost("/trials", 1) == 4);  // of 2 trials with 4 points each
  CHECK(num_lost("/grids/0/num_keys", {100}) == 4);
  CHECK(num_lost("/grids/0/num_hashes", {3, 4}) == 4);
  CHECK(num_lost("/queries", 999) == 8);
  CHECK(num_lost("/seed", 7) == 8);
  CHECK(num_lost("/grids/0/num_bits", 8193) == 8);
  CHECK(num_lost("/grids/0/variant", "partitioned") == 8);
}

TEST_CASE("lost_rows: a larger n of a key file changes the queries, another k does not",
          "[output]") {
  const auto units_of = [](const Json& num_keys, const Json& num_hashes) {
    Config config = config_from_json(config_with("/grids/0/num_keys", num_keys));
    for (const Json& k : num_hashes) config.grids[0].num_hashes.push_back(k.get<unsigned>());
    config.keys = {{.kind = KeySource::Kind::kFile,
                    .name = "file:keys.txt",
                    .path = "keys.txt",
                    .content_hash = std::string(32, '0'),
                    .num_lines = 1'000'000}};
    return expand(config);
  };
  RunData run;
  run.units = units_of({100, 200}, {});
  for (const Unit& unit : run.units) run.timings.emplace_back().unit = unit.id;
  CHECK(count_lost_rows(run, units_of({100, 200}, {7})) == 0);
  CHECK(count_lost_rows(run, units_of({100, 150, 200}, {})) == 0);
  CHECK(count_lost_rows(run, units_of({100, 200, 300}, {})) == 8);
}

TEST_CASE("lost_rows: rows of unfinished units do not count", "[output]") {
  RunData run = finished_run(config_with());
  run.timings.pop_back();
  CHECK(count_lost_rows(run, {}) == 4);
  run.timings.clear();
  CHECK(count_lost_rows(run, {}) == 0);
}

TEST_CASE("lost_rows: names the fields that differ, with the new and the old value", "[output]") {
  const Json found = config_with();
  const auto difference = [&](const std::string& pointer, const Json& value) {
    return config_difference(found, config_with(pointer, value));
  };
  CHECK(difference("/queries", 2000) == "/queries (2000, not 1000)");
  CHECK(difference("/grids/0/num_keys", {100, 200, 300}) == "/grids/0/num_keys (with 300)");
  CHECK(difference("/grids/0/num_keys", {100}) == "/grids/0/num_keys (without 200)");
  CHECK(difference("/grids/0/num_keys", {50, 100, 150, 300}) ==
        "/grids/0/num_keys (with 50, 150, 300; without 200)");
  CHECK(difference("/question", "why?").empty());
  Json first = found.at("grids").at(0);
  first["num_bits"] = 4096;
  CHECK(difference("/grids", Json::array({first, found.at("grids").at(0)}))
            .starts_with("/grids (with {"));
  CHECK(difference("/grids", Json::array({first})) ==
        "/grids/0/num_bits (with 4096; without 8192)");
  Json many = found;
  for (const char* name : {"a1", "a2", "a3", "a4", "a5"}) many[name] = 1;
  CHECK(config_difference(found, many) ==
        "/a1 (1, not absent), /a2 (1, not absent), /a3 (1, not absent), 2 more");
}
