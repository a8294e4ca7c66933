#include "experiments/plan/window_problems.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using Lines = std::vector<std::string>;

/// Window of a filter of four generations of 25 inserts.
constexpr Window kQuarters{.num_inserts = 76, .num_ticks = 3};
/// Window of a filter of four generations that only ticks rotate.
constexpr Window kTicksOnly{.num_ticks = 3};

Lines lines_of(const Window& window, const std::optional<StreamWindow>& stream,
               std::uint64_t most_keys = 1000) {
  Lines lines;
  for (const Problem& problem : window_problems(window, stream, most_keys)) {
    lines.push_back(problem.line());
  }
  return lines;
}

}  // namespace

TEST_CASE("window_problems: a stream window is at most that of the filter", "[plan][window]") {
  CHECK(lines_of(kQuarters, StreamWindow{.size = 1}).empty());
  CHECK(lines_of(kQuarters, StreamWindow{.size = 76}).empty());
  CHECK(lines_of(kQuarters, StreamWindow{.size = 77}) ==
        Lines{"window.size must be at most 76, the window of the filter, got 77"});
  CHECK(lines_of(kTicksOnly, StreamWindow{.size = 1'000'000}).empty());  // it never rotates
}

TEST_CASE("window_problems: ticks come before inserts cause a rotation", "[plan][window]") {
  CHECK(lines_of(kQuarters, StreamWindow{.size = 3, .inserts_per_tick = 25}).empty());
  CHECK(lines_of(kQuarters, StreamWindow{.size = 4, .inserts_per_tick = 26}) ==
        Lines{"window.size must be at most 3, the window of the filter, got 4",
              "window.inserts_per_tick must be at most 25, the insert calls of a generation, got "
              "26"});
  CHECK(lines_of(kTicksOnly, StreamWindow{.size = 3, .inserts_per_tick = 1'000'000}).empty());
  CHECK(lines_of(kTicksOnly, StreamWindow{.size = 4, .inserts_per_tick = 1}).size() == 1);
}

TEST_CASE("window_problems: a filter that forgets needs a window above its own", "[plan][window]") {
  CHECK(lines_of(kQuarters, std::nullopt, 76).empty());
  CHECK(lines_of(kQuarters, std::nullopt, 77) ==
        Lines{"num_keys must be at most 76, the window of the filter, got 77; add \"window\" to "
              "measure a filter that forgets keys"});
  CHECK(lines_of(kTicksOnly, std::nullopt).empty());
}

}  // namespace bloometry
