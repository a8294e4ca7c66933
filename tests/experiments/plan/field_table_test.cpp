#include "experiments/plan/field_table.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/text/number_notation.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using Problems = std::vector<std::string>;

/// An object with one field of each presence, and a list.
struct Pane {
  std::uint64_t size = 0;
  std::string unit = "keys";
  std::optional<double> erase{};
  std::vector<std::string> colours = {"red"};
};

FieldTable<Pane> window_fields() {
  const auto check_size = [](const ConfigField& object, Pane& pane) {
    if (pane.unit == "rounds" && pane.size > 5) object.complain("has too many rounds");
  };
  return {required_field("size", &Pane::size, whole_number(1, 9), "Length of the pane"),
          default_field("unit", &Pane::unit, one_of({"keys", "rounds"})),
          {.read = check_size},
          optional_field("erase", &Pane::erase, real_number({.min = 0, .max = 1})),
          default_field("colours", &Pane::colours, one_or_more(one_of({"red", "blue"})))};
}

/// Reads the pane and returns the problems.
Problems read(const std::string& text, Pane& pane) {
  const Json json = Json::parse(text);
  ProblemList problems;
  const ConfigValue<Pane> value = object_of(window_fields());
  pane = value.read({json, "/pane", problems}).value_or(Pane{});
  return problems.lines();
}

}  // namespace

TEST_CASE("field_table: reads what a table writes", "[plan][field_table]") {
  const ConfigValue<Pane> value = object_of(window_fields());
  for (const char* text : {R"({"size":3,"unit":"rounds","erase":0.5,"colours":["blue","red"]})",
                           R"({"size":9,"unit":"keys","colours":["red"]})"}) {
    Pane pane;
    REQUIRE(read(text, pane).empty());
    CHECK(value.write(pane) == Json::parse(text));
  }
}

TEST_CASE("field_table: a missing field has the default of the struct, which is written",
          "[plan][field_table]") {
  Pane pane;
  REQUIRE(read(R"({"size": 4, "colours": "blue"})", pane).empty());
  CHECK(pane.unit == "keys");
  CHECK_FALSE(pane.erase);
  CHECK(object_of(window_fields()).write(pane) ==
        Json::parse(R"({"size": 4, "unit": "keys", "colours": ["blue"]})"));
}

TEST_CASE("field_table: reports every problem in the order of the table", "[plan][field_table]") {
  Pane pane;
  CHECK(read(R"({"moon": 1, "erase": 2, "unit": 5, "colours": ["red", "green"]})", pane) ==
        Problems{"/pane/moon: unknown field, allowed: size, unit, erase, colours",
                 "/pane/size: must be given: a whole number in [1, 9]",
                 "/pane/unit: must be one of keys, rounds, got 5",
                 "/pane/erase: must be in [0, 1], got 2",
                 "/pane/colours/1: must be one of red, blue, got \"green\""});
  CHECK(
      read(R"({"size": 6, "unit": "rounds", "erase": "x"})", pane) ==
      Problems{"/pane: has too many rounds", "/pane/erase: must be a number in [0, 1], got \"x\""});
  CHECK(read("[1]", pane) == Problems{"/pane: must be an object, got [1]"});
}

TEST_CASE("field_table: the schema has the limits, defaults and required fields of the table",
          "[plan][field_table]") {
  Json expected = Json::parse(R"({
      "type": "object", "additionalProperties": false, "required": ["size"], "properties": {
        "size": {"description": "Length of the pane", "type": ["integer", "string"],
                 "minimum": 1, "maximum": 9},
        "unit": {"enum": ["keys", "rounds"], "default": "keys"},
        "erase": {"type": ["number", "string"], "minimum": 0, "maximum": 1},
        "colours": {"default": "red", "oneOf": [
            {"enum": ["red", "blue"]},
            {"type": "array", "minItems": 1, "items": {"enum": ["red", "blue"]}}]}}})");
  expected["properties"]["size"]["pattern"] = kWholePattern;
  expected["properties"]["erase"]["pattern"] = kRealPattern;
  CHECK(Json(schema_of(window_fields())) == expected);
}

}  // namespace bloometry
