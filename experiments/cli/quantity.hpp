#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Parses a number as people write it: 1e6, 1,000,000, 1.5M, 64MiB or 64MB. The suffixes k, M, G
/// are decimal; KiB to TiB and kB to TB are bytes, by powers of 1024 and 1000.
/// @throws ConfigError naming the field, the text and the allowed forms.
[[nodiscard]] std::uint64_t parse_count(std::string_view field, std::string_view text);
/// Parses the same forms, but rejects 0.
[[nodiscard]] std::uint64_t parse_positive_count(std::string_view field, std::string_view text);
/// Parses the same forms, including 0, with a custom text for the allowed values; the caller checks
/// the range.
[[nodiscard]] std::uint64_t parse_whole(std::string_view field, std::string_view allowed,
                                        std::string_view text);
/// Parses a size in bits, above 0: 1e6 is that many bits, 64MiB that many bytes times 8.
[[nodiscard]] std::uint64_t parse_bits(std::string_view field, std::string_view text);
/// Parses a size in bytes, above 0: 1e6 is that many bytes, 64MiB is 64 * 2^20.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view field, std::string_view text);

/// Parses a number with or without a fraction, of any sign: 0.01, 1e-6, 0.1%. The caller checks the
/// range.
/// @param allowed the allowed values, for the error message: `a number in (0, 1) like 0.01`.
[[nodiscard]] double parse_real(std::string_view field, std::string_view allowed,
                                std::string_view text);

/// Splits `a,b` into a and b; the text between two commas is an item, even if it is empty.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

}  // namespace bloometry
