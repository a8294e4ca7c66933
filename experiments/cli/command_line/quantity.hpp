#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Parses a count in the usual notations: 1e6, 1,000,000 or 1.5M. The suffixes k, M and G are
/// powers of 1000. A count with a unit of bytes is rejected. parse_bits() and parse_bytes() also
/// accept the units KiB to TiB in powers of 1024, and kB to TB in powers of 1000.
/// @throws ConfigError naming the field, the given value and the allowed forms.
[[nodiscard]] std::uint64_t parse_count(std::string_view field, std::string_view text);
/// Parses a count in the forms of parse_count(), but rejects 0.
[[nodiscard]] std::uint64_t parse_positive_count(std::string_view field, std::string_view text);
/// Parses a count in the forms of parse_count(). The error message gives `allowed` as the allowed
/// values. The caller checks the range of the result.
[[nodiscard]] std::uint64_t parse_whole(std::string_view field, std::string_view allowed,
                                        std::string_view text);
/// Parses a size in bits that must exceed 0. The text 1e6 means 10^6 bits, and 64MiB means 8 * 64 *
/// 2^20 bits.
[[nodiscard]] std::uint64_t parse_bits(std::string_view field, std::string_view text);
/// Parses a size in bytes that must exceed 0. The text 1e6 means 10^6 bytes, and 64MiB means 64 *
/// 2^20 bytes.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view field, std::string_view text);

/// Parses a real number of any sign, such as 0.01, 1e-6 or 0.1%. The caller checks the range of the
/// result.
/// @param allowed the allowed values for the error message, such as `a number in (0, 1) like 0.01`.
[[nodiscard]] double parse_real(std::string_view field, std::string_view allowed,
                                std::string_view text);

/// Splits `a,b` into a and b. Two consecutive commas enclose an empty item.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

}  // namespace bloometry
