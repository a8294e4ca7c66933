#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns a mean number of false positives as text. The text has 4 digits below 1,000, and is a
/// whole number with grouped digits from 1,000 on. The text for 0 is "none".
[[nodiscard]] std::string expected_text(double count);

/// Returns a value as text with grouped digits, and enough decimals to show a tenth of the spread.
/// For example, the text is 50,340 for a spread of 88.
[[nodiscard]] std::string to_spread(double value, double spread);

/// Returns the p-value as text, for example "0.41". The text is "below 1e-300" if the p-value is
/// below 1e-300, because a p-value is never 0.
[[nodiscard]] std::string p_value_text(double p_value);

/// Returns the p-value as a relation, for example `p = 0.41` or `p < 1e-300`.
[[nodiscard]] std::string p_value_relation(double p_value);

}  // namespace bloometry
