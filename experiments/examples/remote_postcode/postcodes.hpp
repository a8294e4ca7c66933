#pragma once

#include <cstdint>
#include <string>

namespace bloometry::examples {

/// Number of postcodes of the form `AB12 3CD`: two letters, two digits, a digit, two letters.
inline constexpr std::uint64_t kNumPostcodes = std::uint64_t{26} * 26 * 1000 * 26 * 26;

/// Returns postcode number i, i < kNumPostcodes. Consecutive numbers give postcodes in an order
/// that looks random. Different i give different postcodes.
[[nodiscard]] std::string postcode_number(std::uint64_t i);

}  // namespace bloometry::examples
