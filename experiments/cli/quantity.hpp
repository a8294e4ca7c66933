#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloometry {

/// Numbers as people write them: 1e6, 1,000,000, 1.5M (k, M, G are decimal), 64MiB or 64MB (KiB to
/// TiB and kB to TB are bytes, by powers of 1024 and 1000).
/// @throws ConfigError naming the field, the text and the forms allowed.
[[nodiscard]] std::uint64_t parse_count(std::string_view field, std::string_view text);
/// The same without 0.
[[nodiscard]] std::uint64_t parse_positive_count(std::string_view field, std::string_view text);
/// The same from 0, with its own words for what is allowed; a range is the caller's to check.
[[nodiscard]] std::uint64_t parse_whole(std::string_view field, std::string_view allowed,
                                        std::string_view text);
/// A size in bits, above 0: 1e6 is that many bits, 64MiB that many bytes times 8.
[[nodiscard]] std::uint64_t parse_bits(std::string_view field, std::string_view text);
/// A size in bytes, above 0: 1e6 is that many bytes, 64MiB is 64 * 2^20.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view field, std::string_view text);

/// A number with or without a fraction, of any sign: 0.01, 1e-6, 0.1%. Its range is the caller's to
/// check.
/// @param allowed what the complaint says: `a number in (0, 1) like 0.01`.
[[nodiscard]] double parse_real(std::string_view field, std::string_view allowed,
                                std::string_view text);

/// `a,b` as a and b; whatever stands between commas is an item, be it empty.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

}  // namespace bloometry
