#include "experiments/plan/axis_values.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using Integers = std::vector<std::uint64_t>;
using Reals = std::vector<double>;
using Problems = std::vector<std::string>;

/// The values of an axis, or the problems found in the axis.
struct Read {
  Integers integers{};
  Reals reals{};
  Problems problems{};
};

Read read_integers(const std::string& text) {
  Read read;
  const nlohmann::json value = nlohmann::json::parse(text);
  ProblemList problems;
  read.integers = integer_axis(1, 1'000'000'000).read({value, "/axis", problems}).value();
  read.problems = problems.lines();
  return read;
}

Read read_reals(const std::string& text) {
  Read read;
  const nlohmann::json value = nlohmann::json::parse(text);
  ProblemList problems;
  read.reals = real_axis({.min = 0, .max = 100}).read({value, "/axis", problems}).value();
  read.problems = problems.lines();
  return read;
}

}  // namespace

TEST_CASE("axis: a number is an axis of one value", "[plan][axis]") {
  REQUIRE(read_integers("7").integers == Integers{7});
  REQUIRE(read_reals("0.5").reals == Reals{0.5});
}

TEST_CASE("axis: a list is sorted and duplicates are dropped", "[plan][axis]") {
  REQUIRE(read_integers("[30, 10, 20, 10, 1e1]").integers == Integers{10, 20, 30});
  REQUIRE(read_reals("[2, 0.5, 2.0]").reals == Reals{0.5, 2});
}

TEST_CASE("axis: integers may be written as 1e9 but not as 1.5", "[plan][axis]") {
  REQUIRE(read_integers("1e9").integers == Integers{1'000'000'000});
  REQUIRE(read_integers("[1, 1.5]").problems ==
          Problems{"/axis/1: must be a whole number in [1, 1000000000], got 1.5"});
}

TEST_CASE("axis: a linear range has both ends and rounds integers", "[plan][axis]") {
  REQUIRE(read_integers(R"({"from": 1, "to": 10, "steps": 10})").integers ==
          Integers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  REQUIRE(read_integers(R"({"from": 1, "to": 10, "steps": 3, "scale": "linear"})").integers ==
          Integers{1, 6, 10});
  REQUIRE(read_reals(R"({"from": 0.1, "to": 0.5, "steps": 5})").reals ==
          Reals{0.1, 0.2, 0.3, 0.4, 0.5});
}

TEST_CASE("axis: a range of more steps than integers drops duplicates", "[plan][axis]") {
  REQUIRE(read_integers(R"({"from": 1, "to": 3, "steps": 100})").integers == Integers{1, 2, 3});
}

TEST_CASE("axis: a log range has both ends, exactly", "[plan][axis]") {
  REQUIRE(read_integers(R"({"from": 1e3, "to": 1e6, "steps": 4, "scale": "log"})").integers ==
          Integers{1000, 10'000, 100'000, 1'000'000});
  REQUIRE(read_reals(R"({"from": 0.001, "to": 0.1, "steps": 5, "scale": "log"})").reals ==
          Reals{0.001, 0.00316227766, 0.01, 0.0316227766, 0.1});
}

TEST_CASE("axis: steps of 1 need equal ends", "[plan][axis]") {
  REQUIRE(read_integers(R"({"from": 5, "to": 5, "steps": 1})").integers == Integers{5});
  REQUIRE(read_integers(R"({"from": 5, "to": 6, "steps": 1})").problems ==
          Problems{"/axis/steps: must be at least 2 to include both ends, got 1"});
}

TEST_CASE("axis: impossible ranges are problems", "[plan][axis]") {
  REQUIRE(read_reals(R"({"from": 0, "to": 1, "steps": 3, "scale": "log"})").problems ==
          Problems{"/axis/from: must be above 0 on a log scale, got 0"});
  REQUIRE(read_integers(R"({"from": 9, "to": 1, "steps": 3})").problems ==
          Problems{"/axis: from must be at most to"});
  REQUIRE(read_integers(R"({"from": 1, "steps": 0, "scale": "cubic", "by": 2})").problems ==
          Problems{"/axis/by: unknown field, allowed: from, to, steps, scale",
                   "/axis/to: must be given: a range has from, to and steps",
                   "/axis/steps: must be in [1, 10000], got 0",
                   "/axis/scale: must be \"linear\" or \"log\", got \"cubic\""});
}

TEST_CASE("axis: each invalid value of a list is reported", "[plan][axis]") {
  REQUIRE(read_integers(R"([0, "x", 5, null, -1])").problems ==
          Problems{"/axis/0: must be in [1, 1000000000], got 0",
                   "/axis/1: must be a whole number in [1, 1000000000], got \"x\"",
                   "/axis/3: must be a whole number in [1, 1000000000], got null",
                   "/axis/4: must be in [1, 1000000000], got -1"});
}

TEST_CASE("axis: an empty or endless list is a problem", "[plan][axis]") {
  REQUIRE(read_integers("[]").problems == Problems{"/axis: must have 1 to 10000 values, got 0"});
  std::string list = "[1";
  for (int i = 0; i < 10'000; ++i) list += ",1";
  REQUIRE(read_integers(list + "]").problems ==
          Problems{"/axis: must have 1 to 10000 values, got 10001"});
}

}  // namespace bloometry
