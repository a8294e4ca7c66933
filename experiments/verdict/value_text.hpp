#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns a mean number of false positives as text: 4 digits; from 1,000 on a whole number with
/// grouped digits; "none" for 0.
[[nodiscard]] std::string expected_text(double count);

/// Returns a value with grouped digits, and enough decimals to show a tenth of the spread: 50,340
/// for a spread of 88.
[[nodiscard]] std::string to_spread(double value, double spread);

/// Returns the p-value as text: 0.41, or "below 1e-300" if it underflows, because p-values are
/// above 0.
[[nodiscard]] std::string p_value_text(double p_value);

/// Returns the p-value as a relation: `p = 0.41`, or `p < 1e-300`.
[[nodiscard]] std::string p_value_relation(double p_value);

}  // namespace bloometry
