#pragma once

#include <cstdint>
#include <string>

namespace bloometry {

/// The shortest text that reads back as the same number; whole numbers below 2^53 as digits.
[[nodiscard]] std::string number_text(double value);
/// 9,592,957.
[[nodiscard]] std::string grouped(std::uint64_t count);
/// `digits` significant digits, as short as they allow.
[[nodiscard]] std::string rounded(double value, int digits);
/// The same with groups and without an exponent from 1,000 to 10^15: 12,253.2.
[[nodiscard]] std::string grouped_real(double value, int digits);

}  // namespace bloometry
