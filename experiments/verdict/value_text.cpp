#include "experiments/verdict/value_text.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

constexpr double kLeastPValue = 1e-300;
constexpr int kPValueDigits = 2;
constexpr int kMostDecimals = 15;

}  // namespace

std::string expected_text(double count) {
  constexpr double kLeastWhole = 999.95;  // becomes 1,000 when rounded to 4 digits
  if (count == 0) return "none";
  return count < kLeastWhole ? rounded(count, 4)
                             : grouped(static_cast<std::uint64_t>(std::round(count)));
}

std::string to_spread(double value, double spread) {
  const int decimals = spread > 0 ? 1 - static_cast<int>(std::floor(std::log10(spread))) : 0;
  return grouped_fixed(value, std::clamp(decimals, 0, kMostDecimals));
}

std::string p_value_text(double p_value) {
  return p_value < kLeastPValue ? "below 1e-300" : rounded(p_value, kPValueDigits);
}

std::string p_value_relation(double p_value) {
  return p_value < kLeastPValue ? "p < 1e-300" : "p = " + rounded(p_value, kPValueDigits);
}

}  // namespace bloometry
