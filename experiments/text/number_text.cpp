#include "experiments/text/number_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

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
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return grouped(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string rounded(double value, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

double to_digits(double value, int digits) {
  // std::stod is not used, because it throws for numbers below 2.3e-308.
  return std::strtod(rounded(value, digits).c_str(), nullptr);
}

std::string grouped_real(double value, int digits) {
  if (!(value >= 1000 && value < 1e15)) return rounded(value, digits);
  const int whole_digits = static_cast<int>(std::log10(value)) + 1;
  if (digits <= whole_digits) {
    const double unit = std::pow(10.0, whole_digits - digits);
    return grouped(static_cast<std::uint64_t>(std::round(value / unit) * unit));
  }
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits - whole_digits, value);
  const std::string all = text.data();
  const std::size_t point = all.find('.');
  return grouped(std::stoull(all.substr(0, point))) + all.substr(point);
}

}  // namespace bloometry
