#include "variants/foreign/redis_bitmap/fitting_bits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace bloometry {
namespace {

/// Returns a number E such that all set bits are below offset t with probability at most (t/m)^E.
/// The k indices of a key are independent in pyrebloom and go_seeded, so E is the number of set
/// bits. In jedis, only two indices of a key are independent, and the empty key sets only bit 0.
std::uint64_t num_independent(RedisScheme scheme, unsigned num_hashes, std::uint64_t num_ones) {
  if (scheme == RedisScheme::kPhp3) return 0;
  if (scheme != RedisScheme::kJedis) return num_ones;
  const std::uint64_t num_of_keys = num_ones - std::min<std::uint64_t>(num_ones, 1);
  const std::uint64_t num_keys = (num_of_keys + num_hashes - 1) / num_hashes;
  return num_keys * std::min(num_hashes, 2U);
}

/// Returns one more than the offset of the last set bit, or 0.
std::uint64_t end_of_ones(const BitArray<>& bits) noexcept {
  const auto words = bits.words();
  for (std::size_t w = words.size(); w > 0; --w) {
    const std::uint64_t word = words[w - 1];
    if (word != 0) return 64 * (w - 1) + static_cast<std::uint64_t>(std::bit_width(word));
  }
  return 0;
}

}  // namespace

FittingBits fitting_bits(RedisScheme scheme, unsigned num_hashes, std::uint64_t num_ones,
                         std::uint64_t end, double max_wrong_exclusion) {
  FittingBits fitting{.least = std::max<std::uint64_t>(1, end)};
  const std::uint64_t exponent = num_independent(scheme, num_hashes, num_ones);
  if (exponent == 0) return fitting;
  // One index of a short key of go_seeded is always even if m is even. For an even t, the share of
  // even offsets below t is exactly t/m.
  const std::uint64_t t = scheme == RedisScheme::kGoSeeded ? end + end % 2 : end;
  const double most = std::floor(static_cast<double>(t) * std::exp(-std::log(max_wrong_exclusion) /
                                                                   static_cast<double>(exponent)));
  if (most < static_cast<double>(max_redis_bits(scheme))) {
    fitting.most = static_cast<std::uint64_t>(most);
  }
  return fitting;
}

FittingBits fitting_bits(const RedisBitmapFilter& filter) {
  return fitting_bits(filter.scheme(), filter.num_hashes(), filter.bits().count(),
                      end_of_ones(filter.bits()));
}

std::string interval_text(const FittingBits& fitting) {
  if (!fitting.most) return "at least " + std::to_string(fitting.least);
  return "in [" + std::to_string(fitting.least) + ", " + std::to_string(*fitting.most) + "]";
}

}  // namespace bloometry
