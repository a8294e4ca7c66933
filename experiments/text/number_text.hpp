#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the shortest decimal string that parses to the same number. A whole number below 2^53
/// has neither a point nor an exponent.
[[nodiscard]] std::string number_text(double value);
/// Returns the count with grouped digits, for example 9,592,957.
[[nodiscard]] std::string grouped(std::uint64_t count);
/// Returns the count with its noun in singular or plural, for example 1 row or 1,000 rows.
[[nodiscard]] std::string plural(std::uint64_t count, std::string_view noun);
/// Returns the value with `digits` significant digits, in the shortest form.
[[nodiscard]] std::string rounded(double value, int digits);
/// Returns the share in percent with four significant digits, for example 12.5 %.
[[nodiscard]] std::string percent(double share);
/// Returns the number that rounded() prints.
[[nodiscard]] double to_digits(double value, int digits);
/// Returns the value, which is at least 0, with `num_decimals` digits after the point and grouped
/// digits before it, for example 12,253.20.
[[nodiscard]] std::string grouped_fixed(double value, int num_decimals);
/// Returns the result of rounded() with grouped digits, for example 12,253.2. From 1,000 to 10^15,
/// the result has no exponent.
[[nodiscard]] std::string grouped_real(double value, int digits);

}  // namespace bloometry
