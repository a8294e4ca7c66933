#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

namespace bloometry {

/// The numbers of bits m that agree with the set bits of a bitmap, which does not contain m.
struct FittingBits {
  std::uint64_t least = 1;              ///< one more than the offset of the last set bit
  std::optional<std::uint64_t> most{};  ///< nullopt if the set bits do not exclude any larger m

  [[nodiscard]] bool contains(std::uint64_t num_bits) const noexcept {
    return num_bits >= least && (!most || num_bits <= *most);
  }

  /// Returns whether the set bits would exclude the m of a filter that is twice as large.
  [[nodiscard]] bool excludes_twice(std::uint64_t num_bits) const noexcept {
    return most && *most / 2 < num_bits;
  }

  friend bool operator==(const FittingBits&, const FittingBits&) = default;
};

/// Probability of excluding the m of a correct filter. Every query makes the check, so an exclusion
/// must be practically certain.
inline constexpr double kMaxWrongExclusion = 1e-9;

/// Returns the numbers of bits that agree with a bitmap of num_ones set bits below offset `end`.
/// The last set bit of a filter is usually near m (README, "Check of m"). For scheme php3, whose
/// hashes are not uniform, every m from `end` on agrees with the set bits. The set bits never
/// exclude a k.
/// @param num_hashes k of the filter, at least 1
/// @param max_wrong_exclusion maximum probability that the m of a correct filter is excluded
[[nodiscard]] FittingBits fitting_bits(RedisScheme scheme, unsigned num_hashes,
                                       std::uint64_t num_ones, std::uint64_t end,
                                       double max_wrong_exclusion = kMaxWrongExclusion);

/// Returns the numbers of bits that agree with the set bits of the filter.
[[nodiscard]] FittingBits fitting_bits(const RedisBitmapFilter& filter);

/// Returns the interval as text, such as `in [57, 71]` or `at least 57`.
[[nodiscard]] std::string interval_text(const FittingBits& fitting);

}  // namespace bloometry
