#include "experiments/text/duration_notation.hpp"

#include <string>
#include <utility>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using std::chrono::milliseconds;

TEST_CASE("durations are whole numbers with a unit", "[text]") {
  const std::pair<const char*, std::int64_t> durations[] = {
      {"0ms", 0},
      {"250ms", 250},
      {"1s", 1000},
      {"90 s", 90'000},
      {" 5m ", 300'000},
      {"24h", 86'400'000},
      {"1d", 86'400'000},
      {"1e3ms", 1000},
      {"1,000h", 3'600'000'000},
      {"1.5e1s", 15'000},
      {"9007199254740990ms", 9'007'199'254'740'990}};
  for (const auto& [text, expected] : durations) {
    CAPTURE(text);
    CHECK(read_duration(text) == milliseconds(expected));
  }
  for (const char* text :
       {"", "h", "24", "24 hours", "1.5h", "-1s", "5km", "1h30m", "1H", "1us", "inf s", "1/2s",
        "9007199254740992ms", "104249992d", "18446744073709551616s", "ms", " ms"}) {
    CAPTURE(text);
    CHECK_FALSE(read_duration(text));
  }
}

TEST_CASE("a duration is written in the largest unit that is not longer", "[text]") {
  const std::pair<std::int64_t, const char*> texts[] = {
      {0, "0 ms"},         {1, "1 ms"},
      {999, "999 ms"},     {1000, "1 s"},
      {1500, "1.5 s"},     {59'999, "60 s"},
      {60'000, "1 m"},     {12'342'858, "3.429 h"},
      {86'400'000, "1 d"}, {98'742'864, "1.143 d"},
      {-5000, "-5 s"},     {10'000'000'000'000, "115,700 d"}};
  for (const auto& [duration, text] : texts) {
    CAPTURE(duration);
    CHECK(readable_duration(milliseconds(duration)) == text);
  }
}

}  // namespace
}  // namespace bloometry
