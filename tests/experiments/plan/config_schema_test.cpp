#include "experiments/plan/config_schema.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "experiments/plan/config.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using Names = std::set<std::string>;

/// Returns the allowed names in the error message for the unknown field /POINTER/moon.
Names allowed_in(const std::string& pointer, const Json& object) {
  Json json = Json::parse(R"({"name": "a", "grids": [
      {"variant": "counting", "num_keys": 1000, "num_counters": 8192, "num_hashes": 3}]})");
  if (!pointer.empty()) json[Json::json_pointer(pointer)] = object;
  json[Json::json_pointer(pointer + "/moon")] = 1;
  const test::TempFolder folder;
  test::write_text(folder / "config.json", json.dump());
  std::string problem;
  try {
    static_cast<void>(load_config(folder / "config.json"));
  } catch (const ConfigFileError& error) {
    problem = error.problems().front().line();
  }
  const std::string before = pointer + "/moon: unknown field, allowed: ";
  REQUIRE(problem.starts_with(before));
  Names names;
  for (std::size_t at = before.size(); at < problem.size();) {
    const std::size_t end = std::min(problem.find(", ", at), problem.size());
    names.insert(problem.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

Names property_names(const Json& object_schema) {
  Names names;
  for (const auto& [name, schema] : object_schema.at("properties").items()) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("config_schema: schema.json equals the printed schema", "[plan][config]") {
  REQUIRE(test::read_text(std::filesystem::path(test::kConfigFolder) / "schema.json") ==
          config_schema());
}

TEST_CASE("config_schema: every object has the fields that the reader allows", "[plan][config]") {
  const Json schema = Json::parse(config_schema());
  const Json& grid = schema["$defs"]["grid"];
  const Json& sources = schema["$defs"]["key_source"]["oneOf"];
  const Json grid_value = {
      {"variant", "counting"}, {"num_keys", 1000}, {"num_counters", 8192}, {"num_hashes", 3}};
  CHECK(allowed_in("", {}) == property_names(schema));
  CHECK(allowed_in("/queries", {{"relative_error", 0.1}}) ==
        property_names(schema["properties"]["queries"]["oneOf"][1]));
  CHECK(allowed_in("/keys/0", {{"zipf", 1}}) == property_names(sources[1]));
  CHECK(allowed_in("/keys/0", {{"file", "keys.txt"}}) == property_names(sources[2]));
  CHECK(allowed_in("/grids/0", grid_value) == property_names(grid));
  CHECK(allowed_in("/grids/0/num_keys", {{"from", 1}, {"to", 2}, {"steps", 2}}) ==
        property_names(grid["properties"]["num_keys"]["oneOf"][2]));
  CHECK(allowed_in("/grids/0/churn", {{"rounds", 1}, {"erase", 0.5}}) ==
        property_names(grid["properties"]["churn"]));
  CHECK(allowed_in("/report/0", {{"chart", "fill"}}) == property_names(schema["$defs"]["chart"]));
}

}  // namespace bloometry
