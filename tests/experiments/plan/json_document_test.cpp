#include "experiments/plan/json_document.hpp"

#include <string>

#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::string syntax_error_of(const std::string& text) {
  try {
    static_cast<void>(parse_json(text));
  } catch (const ConfigFileError& error) {
    return error.problems().front().line();
  }
  return "none";
}

}  // namespace

TEST_CASE("json_document: a text is parsed as by nlohmann", "[plan][json]") {
  const std::string text = R"({"a": [1, -2, 2.5, true, null, {"b": []}], "c": "x\u00e9", "": {}})";
  REQUIRE(parse_json(text).value == nlohmann::json::parse(text));
  REQUIRE(parse_json("7").value == 7);
}

TEST_CASE("json_document: a repeated name is reported with its pointer", "[plan][json]") {
  const JsonDocument document = parse_json(R"({"a": 1, "b": [{"c~/": {"x": 1, "x": 2}}], "a": 3})");
  REQUIRE(document.problems.lines() ==
          std::vector<std::string>{"/b/0/c~0~1: has \"x\" twice", "config: has \"a\" twice"});
}

TEST_CASE("json_document: a syntax error has line and column", "[plan][json]") {
  REQUIRE(syntax_error_of("{\n  \"a\": 1,\n  \"b\" 2\n}")
              .starts_with("line 3, column 7: must be JSON: unexpected "));
  REQUIRE(syntax_error_of("").starts_with("line 1, column 1: "));
  REQUIRE(syntax_error_of("{\"a\": 1e999}").starts_with("line 1, column "));
  REQUIRE(syntax_error_of("{} {}").starts_with("line 1, column 4: "));
  REQUIRE(syntax_error_of("{\"a\": \"\xff\"}").starts_with("line 1, column "));
}

TEST_CASE("json_document: a syntax error shortens a long token", "[plan][json]") {
  const std::string digits(5000, '9');
  for (const std::string& text : {"{\"seed\": " + digits + "}", "{\"seed\": " + digits + ".e}",
                                  "{\"name\": \"" + digits, "{\"name\": " + digits}) {
    INFO(syntax_error_of(text));
    REQUIRE(syntax_error_of(text).size() < 300);
    REQUIRE(syntax_error_of(text).find("...") != std::string::npos);
  }
}

TEST_CASE("json_document: deep nesting is refused", "[plan][json]") {
  REQUIRE(syntax_error_of(std::string(64, '[') + std::string(64, ']')) == "none");
  std::string pointer;
  for (int i = 0; i < 64; ++i) pointer += "/0";
  pointer = printable(pointer, kMaxShownPointer);
  REQUIRE(syntax_error_of(std::string(65, '[') + std::string(65, ']')) ==
          "must have at most 64 levels, got more at " + pointer);
  REQUIRE(syntax_error_of(std::string(1'000'000, '[')) ==
          "must have at most 64 levels, got more at " + pointer);
}

}  // namespace bloometry
