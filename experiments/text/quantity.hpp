#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/text/number_notation.hpp"

// Numbers and sizes of options, in the notation of number_notation.hpp. Each function throws a
// ConfigError that names the field, the given text and the allowed forms.

namespace bloometry {

/// Parses a number of at most 2^53 for an option.
[[nodiscard]] std::uint64_t parse_count(std::string_view field, std::string_view text);
/// Parses a count as parse_count() does, but rejects 0.
[[nodiscard]] std::uint64_t parse_positive_count(std::string_view field, std::string_view text);
/// Parses a whole number. The error message gives `allowed` as the allowed values. The caller
/// checks the range of the result.
[[nodiscard]] std::uint64_t parse_whole(std::string_view field, std::string_view allowed,
                                        std::string_view text);

/// Parses a size in [1, 2^53] bits or cells, or in bytes with a unit. The result is the number of
/// cells or of bytes.
[[nodiscard]] WrittenSize parse_size(std::string_view field, std::string_view text);
/// Parses a size as parse_size() does, and returns it in bits. The text 1e6 means 10^6 bits, and
/// 64MiB means 8 * 64 * 2^20 bits.
[[nodiscard]] std::uint64_t parse_bits(std::string_view field, std::string_view text);
/// Parses a memory in [1, 2^50] bytes. The text must have a unit of bytes.
/// @param alternative end of the message about a missing unit, such as `, or -m for cells`
[[nodiscard]] std::uint64_t parse_bytes(std::string_view field, std::string_view text,
                                        std::string_view alternative = {});

/// Parses a real number of any sign. The caller checks the range of the result.
/// @param allowed the allowed values for the error message, such as `a number in (0, 1) like 0.01`.
[[nodiscard]] double parse_real(std::string_view field, std::string_view allowed,
                                std::string_view text);

/// Splits a list of numbers at its commas.
/// @throws ConfigError if has_thousands_separators()
[[nodiscard]] std::vector<std::string> split_numbers(std::string_view field, std::string_view text,
                                                     std::uint64_t min = 0);

}  // namespace bloometry
