#pragma once

#include <cstdint>
#include <string_view>

namespace bloometry {

/// Numbers as people write them: 1e6, 1.5M (k, M, G are decimal), 64MiB (KiB, MiB, GiB, TiB are
/// bytes).
/// @throws ConfigError naming the field, the text and the forms allowed.
[[nodiscard]] std::uint64_t parse_count(std::string_view field, std::string_view text);
/// A size in bits: 1e6 is that many bits, 64MiB that many bytes times 8.
[[nodiscard]] std::uint64_t parse_bits(std::string_view field, std::string_view text);
/// A size in bytes, above 0: 1e6 is that many bytes, 64MiB is 64 * 2^20.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view field, std::string_view text);

}  // namespace bloometry
