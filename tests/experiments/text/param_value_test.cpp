#include "experiments/text/param_value.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr ParamInfo kWidth = {
    .name = "width", .kind = ParamKind::kInteger, .min = 1, .max = 0x1p53};
constexpr ParamInfo kRatio = {.name = "ratio", .kind = ParamKind::kReal, .min = 0, .max = 1};
constexpr ParamInfo kMode = {.name = "mode", .kind = ParamKind::kText, .choices = "up|1k"};
constexpr ParamInfo kList = {
    .name = "list", .kind = ParamKind::kIntegerList, .min = 1, .max = 20'000};

}  // namespace

TEST_CASE("param_value: numbers are read in all forms, and words are kept", "[text]") {
  for (const char* text : {"1000000", "1e6", "1M", " 1,000,000"}) {
    CAPTURE(text);
    CHECK(parse_param(kWidth, text) == ParamValue(1e6));
  }
  CHECK(parse_param(kWidth, "9007199254740992") == ParamValue(0x1p53));
  CHECK(parse_param(kRatio, "12.5 %") == ParamValue(0.125));
  CHECK(parse_param(kRatio, to_string(ParamValue(0.1))) == ParamValue(0.1));
  CHECK(parse_param(kMode, "1k") == ParamValue(std::string("1k")));
}

TEST_CASE("param_value: a list may have brackets", "[text]") {
  CHECK(parse_param(kList, "[8,12,14,15]") == ParamValue(Integers{8, 12, 14, 15}));
  CHECK(parse_param(kList, "8, 1k") == ParamValue(Integers{8, 1000}));
  CHECK(parse_param(kList, to_string(ParamValue(Integers{8, 12}))) == ParamValue(Integers{8, 12}));
  CHECK(parse_param(kList, "[]") == ParamValue(Integers{}));
}

TEST_CASE("param_value: other texts are refused with the allowed values", "[text]") {
  for (const std::string bad : {"8.5", "1e300", "x", "-1", "9007199254740993", ""}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH(parse_param(kWidth, bad),
                      "width must be a whole number in [1, 9007199254740992], got " + bad);
    CHECK_THROWS_WITH(parse_param(kList, "[8," + bad + "]"),
                      "list must be a list of whole numbers in [1, 20000], got [8," + bad + "]");
  }
  CHECK_THROWS_WITH(parse_param(kList, "1,000"),
                    "list must be a list of whole numbers in [1, 20000], got 1,000; write "
                    "1,000 as 1000 or 1k in a list");
  CHECK_THROWS_WITH(parse_param(kRatio, "1/0"),
                    Catch::Matchers::StartsWith("ratio must be a number in [0, 1], got 1/0; both"));
}

}  // namespace bloometry
