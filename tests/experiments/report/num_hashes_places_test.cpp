#include "experiments/report/num_hashes_places.hpp"

#include <string>
#include <vector>

#include "experiments/report/coinciding_marks.hpp"
#include "tests/support/catch.hpp"

namespace bloometry::report {
namespace {

KMark mark(const std::string& series, double x, std::uint64_t num_hashes) {
  return {series, x, std::to_string(static_cast<int>(x)), num_hashes};
}

}  // namespace

TEST_CASE("charts: the caption states the k of each mark by its place", "[report]") {
  const std::vector<KMark> marks = {mark("a", 4, 3),  mark("b", 4, 3),  mark("a", 8, 6),
                                    mark("a", 12, 6), mark("b", 8, 6),  mark("b", 12, 6),
                                    mark("c", 4, 8),  mark("c", 12, 8), mark("a", 16, 3)};
  CHECK(num_hashes_by_place(marks, PlaceText::kRanges) ==
        "k of “a”: 3 at 4, 6 at 8 to 12, 3 at 16; of “b”: 3 at 4, 6 at 8 to 12; of “c”: 8 at 4 to "
        "12");
  CHECK(num_hashes_by_place({mark("a", 2, 5), mark("a", 1, 4), mark("b", 1, 4), mark("b", 2, 5)},
                            PlaceText::kNames) == "k of “a” and “b”: 4 in “1”, 5 in “2”");
}

TEST_CASE("charts: the caption does not state k by a place with two k, and not twice", "[report]") {
  CHECK_FALSE(num_hashes_by_place({mark("a", 4, 3), mark("a", 4, 5)}, PlaceText::kRanges));
  CHECK_FALSE(num_hashes_by_place({mark("a", 4, 3), mark("b", 8, 5)}, PlaceText::kRanges));
  CHECK_FALSE(num_hashes_by_place({}, PlaceText::kNames));
  std::vector<KMark> many;
  for (int x = 0; x < 24; ++x) many.push_back(mark("a", x, 1 + x % 2));
  CHECK(num_hashes_by_place(many, PlaceText::kRanges));
  many.push_back(mark("a", 24, 1));
  CHECK_FALSE(num_hashes_by_place(many, PlaceText::kRanges));
}

TEST_CASE("charts: marks of several series that cover one another have different places",
          "[report]") {
  const std::vector<MarkPosition> marks = {{0, 0}, {1, 1}, {2, 2}, {100, 0}, {3, 3}};
  CHECK(places_of_series(marks, {"a", "b", "a", "b", "c"}) ==
        std::vector<std::size_t>{0, 1, 0, 0, 2});
}

}  // namespace bloometry::report
