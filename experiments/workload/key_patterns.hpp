#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {

/// Integer keys with a pattern, like ids, addresses and packed pairs. Some hashes of integers fail
/// on keys with a pattern (tests/hash_battery/README.md). A pattern maps item numbers to keys.
/// Distinct items have distinct keys, so that members and queries are disjoint. The formulas in
/// `description` apply to trial 0. In other trials, the keys also depend on the trial number.
struct KeyPattern {
  std::string_view name;
  std::string_view description;
  std::uint64_t (*value)(std::uint64_t item);
};

inline constexpr std::array kKeyPatterns = {
    KeyPattern{"strided", "i * 2^16", [](std::uint64_t item) { return std::rotl(item, 16); }},
    KeyPattern{"high_half", "i * 2^32", [](std::uint64_t item) { return std::rotl(item, 32); }},
    // The keys of all trials are distinct for i below 2^45.
    KeyPattern{"thousands", "1000 i",
               [](std::uint64_t item) {
                 const std::uint64_t i = item % kItemsPerTrial;
                 return 1000 * i + (item - i);
               }},
    KeyPattern{"top_16_bits", "top 16 bits first",
               [](std::uint64_t item) { return std::rotr(item, 16); }},
    KeyPattern{"top_10_bits", "top 10 bits first",
               [](std::uint64_t item) { return std::rotr(item, 10); }},
    KeyPattern{"both_halves", "i * (2^32 + 1)",
               [](std::uint64_t item) { return item + (item << 32U); }},
};

/// The keys of a pattern, as 8 bytes little-endian.
class PatternKeys {
 public:
  static constexpr std::size_t kMaxBytes = SequentialKeys::kMaxBytes;

  explicit constexpr PatternKeys(const KeyPattern& pattern) noexcept : value_(pattern.value) {}

  std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) const noexcept {
    return SequentialKeys::write(value_(item), out);
  }

 private:
  std::uint64_t (*value_)(std::uint64_t item);
};

/// Returns the pattern with this name, or null if the pattern does not exist.
[[nodiscard]] constexpr const KeyPattern* find_key_pattern(std::string_view name) noexcept {
  for (const KeyPattern& pattern : kKeyPatterns) {
    if (pattern.name == name) return &pattern;
  }
  return nullptr;
}

}  // namespace bloometry
