#pragma once

#include <cstdint>
#include <string>

#include "variants/foreign/redis_bitmap/fitting_bits.hpp"

namespace bloometry {

/// The result of checking the m and k that a caller gave for a bitmap. A bitmap does not contain m
/// and k, and a filter with a wrong m or k returns "absent" for members.
struct SizesCheck {
  FittingBits fitting{};               ///< the m that agree with the set bits
  bool is_num_bits_checked = false;    ///< true if the check would have found twice the given m
  bool is_num_hashes_checked = false;  ///< true only for php3, whose k is always 3

  friend bool operator==(const SizesCheck&, const SizesCheck&) = default;
};

[[nodiscard]] SizesCheck check_sizes(const RedisBitmapFilter& filter);

/// Returns the result for a bitmap whose bits were counted, not read.
[[nodiscard]] SizesCheck check_sizes(RedisScheme scheme, const RedisSizes& sizes,
                                     const FittingBits& fitting);

/// Returns the result as text, such as `m must be in [57, 71] for these set bits; k could not be
/// checked`.
[[nodiscard]] std::string text_of(const SizesCheck& check);

/// Throws ConfigError if the set bits exclude the m of the filter.
/// @param file name of the file that contains the bitmap
void require_fitting_num_bits(const RedisBitmapFilter& filter, const std::string& file);

}  // namespace bloometry
