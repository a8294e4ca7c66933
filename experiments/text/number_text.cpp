#include "experiments/text/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>

#include "core/text.hpp"

namespace bloometry {

std::string number_text(double value) {
  constexpr double kMaxExactInteger = 0x1p53;
  if (std::abs(value) < kMaxExactInteger && value == std::floor(value)) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  return shortest_text(value);
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string rounded(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

std::string percent(double share) {
  return rounded(100 * share, 4) + " %";
}

double to_digits(double value, int digits) {
  // std::stod is not used, because it throws for numbers below 2.3e-308.
  return std::strtod(rounded(value, digits).c_str(), nullptr);
}

std::string grouped_fixed(double value, int num_decimals) {
  const std::string text = fmt::format("{:.{}f}", value, num_decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  return grouped(std::stoull(text.substr(0, point))) + text.substr(point);
}

std::string grouped_real(double value, int digits) {
  if (!(value >= 1000 && value < 1e15)) return rounded(value, digits);
  const int whole_digits = static_cast<int>(std::log10(value)) + 1;
  if (digits <= whole_digits) {
    const double unit = std::pow(10.0, whole_digits - digits);
    return grouped(static_cast<std::uint64_t>(std::round(value / unit) * unit));
  }
  return grouped_fixed(value, digits - whole_digits);
}

}  // namespace bloometry
