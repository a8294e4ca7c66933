#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// The shortest text that reads back as the same number; whole numbers below 2^53 as digits.
[[nodiscard]] std::string number_text(double value);
/// 9,592,957.
[[nodiscard]] std::string grouped(std::uint64_t count);
/// 1 row, 1,000 rows: the count with its noun, which takes an s where there is not one of it.
[[nodiscard]] std::string plural(std::uint64_t count, std::string_view noun);
/// `digits` significant digits, as short as they allow.
[[nodiscard]] std::string rounded(double value, int digits);
/// The number that rounded() prints.
[[nodiscard]] double to_digits(double value, int digits);
/// As rounded(), with groups and without an exponent from 1,000 to 10^15: 12,253.2.
[[nodiscard]] std::string grouped_real(double value, int digits);

}  // namespace bloometry
