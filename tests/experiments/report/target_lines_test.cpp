#include "experiments/report/target_lines.hpp"

#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry::report;

namespace {

constexpr double kLineY = 100;
constexpr double kTextWidth = 70;
constexpr double kViewWidth = 600;

double place_among(const std::vector<Stroke>& strokes) {
  return free_place(strokes, kLineY, kTextWidth, kViewWidth);
}

}  // namespace

TEST_CASE("target_lines: a text starts at the left, or to the right of what it would cover",
          "[report]") {
  CHECK(place_among({}) == 0);
  SECTION("strokes below the line or high above it are not covered") {
    CHECK(place_among({{0, 110, 600, 105}, {0, 60, 600, 70}, {300, 0, 300, 300}}) == 0);
  }
  SECTION("a line that crosses the text") {
    const double place = place_among({{0, 110, 60, 60}});
    CHECK(place > 10);
    CHECK(place < 120);
  }
  SECTION("marks") {
    const Stroke mark = {40, 90, 40, 100};
    CHECK(place_among({mark}) > 40);
    CHECK(place_among({mark, {110, 90, 110, 100}}) > 110);
  }
  SECTION("an interval") {
    CHECK(place_among({{40, 20, 40, 300}}) > 40);
  }
}

TEST_CASE("target_lines: a text covers as little as possible if no place is free", "[report]") {
  const Stroke along = {0, 95, 600, 95};
  CHECK(place_among({along}) == 0);
  CHECK(place_among({along, {40, 20, 40, 300}}) > 40);
}
