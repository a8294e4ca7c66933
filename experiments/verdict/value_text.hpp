#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// A mean number of hits: 4 digits, from 1,000 up whole with groups, "none" for 0.
[[nodiscard]] std::string expected_text(double count);

/// As many decimals as show a tenth of the spread, with groups: 50,340 for a spread of 88.
[[nodiscard]] std::string to_spread(double value, double spread);

/// 0.41, or "below 1e-300" where doubles end: no p-value is 0.
[[nodiscard]] std::string p_value_text(double p_value);

/// p = 0.41, or p < 1e-300.
[[nodiscard]] std::string p_value_relation(double p_value);

}  // namespace bloometry
