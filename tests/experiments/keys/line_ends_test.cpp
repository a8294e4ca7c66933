#include "experiments/keys/line_ends.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::vector<std::size_t> places(const std::string& text, bool is_scalar) {
  std::vector<std::size_t> found;
  const char* const begin = text.data();
  const auto visit = [&](const char* p) { found.push_back(static_cast<std::size_t>(p - begin)); };
  if (is_scalar) {
    for_each_line_end_scalar(begin, begin + text.size(), visit);
  } else {
    for_each_line_end(begin, begin + text.size(), visit);
  }
  return found;
}

TEST_CASE("line ends are found and counted as in a bytewise search", "[keys]") {
  std::mt19937_64 random(7);
  for (std::size_t size = 0; size < 300; ++size) {
    for (const unsigned one_in : {1U, 2U, 30U, 1000U}) {
      std::string text(size, 'x');
      // The other bytes are LF - 1, LF + 1, a byte that differs from LF only in the highest bit,
      // and 0xff.
      for (char& c : text) c = random() % one_in == 0 ? '\n' : "\x09\x0b\x8a\xff"[random() % 4];
      const std::vector<std::size_t> expected = places(text, true);
      REQUIRE(places(text, false) == expected);
      REQUIRE(count_line_ends(text.data(), text.data() + size) == expected.size());
    }
  }
}

TEST_CASE("more than 255 line ends in one position of a vector are counted", "[keys]") {
  const std::string text(16 * 1000 + 5, '\n');
  CHECK(count_line_ends(text.data(), text.data() + text.size()) == text.size());
}

}  // namespace
}  // namespace bloometry
