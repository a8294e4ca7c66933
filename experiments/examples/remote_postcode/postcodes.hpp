#pragma once

#include <cstdint>
#include <string>

namespace bloometry::examples {

/// Number of postcodes of the form `AB12 3CD`, with two letters, three digits and two letters.
inline constexpr std::uint64_t kNumPostcodes = std::uint64_t{26} * 26 * 1000 * 26 * 26;

/// Returns the postcode with number i < kNumPostcodes. Different numbers give different postcodes.
/// The postcodes of consecutive numbers look random.
[[nodiscard]] std::string postcode_number(std::uint64_t i);

}  // namespace bloometry::examples
