#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"

/// Configs that the tests of configs load, and their problems.
namespace bloometry::config_tests {

using Json = nlohmann::json;
using Problems = std::vector<std::string>;

inline Json smallest_config() {
  return Json::parse(R"({"name": "a", "grids": [
      {"variant": "standard", "num_keys": 1000, "num_bits": 8192, "num_hashes": 3}]})");
}

inline Config load(const Json& json) {
  const test::TempFolder folder;
  test::write_text(folder / "config.json", json.dump());
  return load_config(folder / "config.json");
}

inline Problems problems_of(const Json& json) {
  try {
    static_cast<void>(load(json));
  } catch (const ConfigFileError& error) {
    Problems lines;
    for (const Problem& problem : error.problems()) lines.push_back(problem.line());
    return lines;
  }
  return {};
}

/// Returns the problems of the smallest config after one field is set to the value.
inline Problems problems_with(const std::string& pointer, const Json& value) {
  Json json = smallest_config();
  json[Json::json_pointer(pointer)] = value;
  return problems_of(json);
}

/// Returns the message of the only problem of the smallest config after one field is set to the
/// value.
inline std::string problem_with(const std::string& pointer, const Json& value) {
  const Problems problems = problems_with(pointer, value);
  REQUIRE(problems.size() == 1);
  return problems.front();
}

}  // namespace bloometry::config_tests
