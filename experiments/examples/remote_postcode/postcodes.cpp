#include "experiments/examples/remote_postcode/postcodes.hpp"

namespace bloometry::examples {

std::string postcode_number(std::uint64_t i) {
  // A prime that does not divide kNumPostcodes = 2^7 5^3 13^4. The multiplication is therefore a
  // permutation.
  constexpr std::uint64_t kMultiplier = 982'451'653;
  std::uint64_t rest = i * kMultiplier % kNumPostcodes;
  const auto pick = [&](char first, std::uint64_t base) {
    const char symbol = static_cast<char>(first + static_cast<char>(rest % base));
    rest /= base;
    return symbol;
  };
  std::string text = "AA00 0AA";
  for (const std::size_t letter : {0U, 1U, 6U, 7U}) text[letter] = pick('A', 26);
  for (const std::size_t digit : {2U, 3U, 5U}) text[digit] = pick('0', 10);
  return text;
}

}  // namespace bloometry::examples
