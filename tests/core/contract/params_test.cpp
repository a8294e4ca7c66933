#include "core/contract/params.hpp"

#include <array>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr std::array<ParamInfo, 6> kInfos = {
    ParamInfo{
        .name = "width", .kind = ParamKind::kInteger, .min = 1, .max = 16, .default_number = 4},
    ParamInfo{.name = "ratio", .kind = ParamKind::kReal, .min = 0, .max = 1, .default_number = 0.5},
    ParamInfo{.name = "mode", .kind = ParamKind::kText, .choices = "up|down", .default_text = "up"},
    ParamInfo{
        .name = "bound", .kind = ParamKind::kInteger, .min = 1, .max = 9, .has_default = false},
    ParamInfo{
        .name = "list", .kind = ParamKind::kIntegerList, .min = 1, .max = 20, .has_default = false},
    ParamInfo{.name = "size",
              .kind = ParamKind::kInteger,
              .min = 256,
              .max = 512,
              .choices = "256|512",
              .default_number = 512}};

}  // namespace

TEST_CASE("params: missing parameters get their defaults if they have one", "[core][filter]") {
  const Params params = resolve_params("v", kInfos, {{"width", 7.0}});
  CHECK(number_param(params, "width") == 7);
  CHECK(number_param(params, "ratio") == 0.5);
  CHECK(text_param(params, "mode") == "up");
  CHECK_FALSE(params.contains("bound"));
}

TEST_CASE("params: all problems are reported at once", "[core][filter]") {
  CHECK_THROWS_WITH(
      resolve_params("v", kInfos,
                     {{"colour", 1.0}, {"mode", std::string("left")}, {"width", 17.0}}),
      "params of v must be one of width, ratio, mode, bound, list, size, got 'colour'; "
      "mode must be up or down, got left; width must be a whole number in [1, 16], got 17");
  CHECK_THROWS_WITH(resolve_params("v", {}, {{"colour", 1.0}}),
                    "params must be left out for v, which does not have parameters, got 'colour'");
}

TEST_CASE("params: the message for integers with few allowed values lists them", "[core][filter]") {
  CHECK(check_param(kInfos[5], 256.0).empty());
  CHECK(check_param(kInfos[5], 512.0).empty());
  CHECK(check_param(kInfos[5], 384.0) == "must be 256 or 512, got 384");
  CHECK(check_param(kInfos[5], 256.5) == "must be 256 or 512, got 256.5");
  CHECK(check_param(kInfos[5], std::nan("")) == "must be 256 or 512, got nan");
}

TEST_CASE("params: wrong types, fractions and NaN are refused", "[core][filter]") {
  CHECK_FALSE(check_param(kInfos[0], 1.5).empty());
  CHECK_FALSE(check_param(kInfos[0], std::string("4")).empty());
  CHECK_FALSE(check_param(kInfos[1], std::nan("")).empty());
  CHECK_FALSE(check_param(kInfos[2], 1.0).empty());
  CHECK_FALSE(check_param(kInfos[2], std::string("")).empty());
  CHECK_FALSE(check_param(kInfos[4], std::vector<std::int64_t>{}).empty());
  CHECK_FALSE(check_param(kInfos[4], std::vector<std::int64_t>{1, 21}).empty());
  CHECK(check_param(kInfos[0], 16.0).empty());
  CHECK(check_param(kInfos[2], std::string("down")).empty());
}

TEST_CASE("params: a value has a text", "[core][filter]") {
  CHECK(to_string(ParamValue(4.0)) == "4");
  CHECK(to_string(ParamValue(0.1)) == "0.1");
  CHECK(to_string(ParamValue(std::string("down"))) == "down");
  CHECK(to_string(ParamValue(std::vector<std::int64_t>{8, 12})) == "[8,12]");
}

}  // namespace bloometry
