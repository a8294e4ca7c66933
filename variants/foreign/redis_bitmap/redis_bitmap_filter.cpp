#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/contract/compatible.hpp"
#include "core/error.hpp"
#include "variants/foreign/redis_bitmap/go_bitset.hpp"
#include "variants/foreign/redis_bitmap/redis_probes.hpp"
#include "variants/foreign/redis_bitmap/redis_string.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kMaxPhpKibibytes = 524288;  // 2^32 bits

/// Returns the number of strings in words, such as "1 string".
std::string strings_text(std::uint64_t num_strings) {
  return std::to_string(num_strings) + (num_strings == 1 ? " string" : " strings");
}

/// Returns the range [first, last) of the bits in string `number` of a filter.
std::pair<std::uint64_t, std::uint64_t> range_of_string(RedisScheme scheme, std::uint64_t num_bits,
                                                        std::uint64_t number) noexcept {
  if (scheme != RedisScheme::kPyrebloom) return {0, num_bits};
  const std::uint64_t first = number * kPyrebloomStringBits;
  return {first, std::min(num_bits, first + kPyrebloomStringBits)};
}

}  // namespace

RedisBitmapFilter::RedisBitmapFilter(RedisScheme scheme, const RedisSizes& sizes)
    : bits_(checked_redis_sizes(scheme, sizes).num_bits),
      num_hashes_(sizes.num_hashes),
      scheme_(scheme) {}

RedisBitmapFilter RedisBitmapFilter::for_capacity(RedisScheme scheme, std::uint64_t capacity,
                                                  double target_false_positive_rate) {
  return {scheme, redis_sizes_for(scheme, capacity, target_false_positive_rate)};
}

RedisBitmapFilter RedisBitmapFilter::for_kibibytes(std::uint64_t num_kibibytes) {
  if (num_kibibytes == 0 || num_kibibytes > kMaxPhpKibibytes) {
    throw ConfigError("num_kibibytes", "must be in [1, " + std::to_string(kMaxPhpKibibytes) +
                                           "], got " + std::to_string(num_kibibytes));
  }
  return {RedisScheme::kPhp3, {.num_bits = num_kibibytes * 8192, .num_hashes = 3}};
}

RedisBitmapFilter RedisBitmapFilter::parse(std::string_view string, RedisScheme scheme,
                                           const RedisSizes& sizes) {
  return parse(std::span<const std::string_view>(&string, 1), scheme, sizes);
}

RedisBitmapFilter RedisBitmapFilter::parse(std::span<const std::string_view> strings,
                                           RedisScheme scheme, const RedisSizes& sizes) {
  const std::uint64_t num_strings =
      num_redis_strings(scheme, checked_redis_sizes(scheme, sizes).num_bits);
  if (strings.size() != num_strings) {
    throw ConfigError("redis_bitmap", "must have " + strings_text(num_strings) + " for " +
                                          std::to_string(sizes.num_bits) + " bits with scheme " +
                                          std::string(name_of(scheme)) + ", got " +
                                          std::to_string(strings.size()));
  }
  RedisBitmapFilter filter(scheme, sizes);
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const auto [first, last] = range_of_string(scheme, sizes.num_bits, i);
    set_bits_of_redis_string(filter.bits_, first, last, strings[i]);
  }
  return filter;
}

RedisBitmapFilter RedisBitmapFilter::parse_go_bitset(std::string_view bytes,
                                                     const RedisSizes& sizes) {
  RedisBitmapFilter filter(RedisScheme::kGoSeeded, sizes);
  load_go_bitset(filter.bits_, bytes);
  return filter;
}

std::string RedisBitmapFilter::serialize() const {
  if (num_strings() != 1) {
    throw ConfigError("redis_bitmap", "must have 1 string to be written to one file, got " +
                                          std::to_string(num_strings()));
  }
  return serialize_string(0);
}

std::string RedisBitmapFilter::serialize_string(std::uint64_t number) const {
  if (number >= num_strings()) {
    throw ConfigError(
        "the number of a redis_bitmap string",
        "must be below " + std::to_string(num_strings()) + ", got " + std::to_string(number));
  }
  const auto [first, last] = range_of_string(scheme_, num_bits(), number);
  return redis_string(bits_, first, last);
}

bool RedisBitmapFilter::insert(KeyView key) noexcept {
  RedisProbes probes(scheme_, key, num_bits());
  bool changed = false;
  for (unsigned i = 0; i < num_hashes_; ++i) changed |= bits_.set(probes.next());
  return changed;
}

bool RedisBitmapFilter::contains(KeyView key) const noexcept {
  RedisProbes probes(scheme_, key, num_bits());
  for (unsigned i = 0; i < num_hashes_; ++i) {
    if (!bits_.test(probes.next())) return false;
  }
  return true;
}

void RedisBitmapFilter::merge(const RedisBitmapFilter& other) {
  require_like(other);
  bits_.merge(other.bits_);
}

void RedisBitmapFilter::intersect(const RedisBitmapFilter& other) {
  require_like(other);
  bits_.intersect(other.bits_);
}

void RedisBitmapFilter::require_like(const RedisBitmapFilter& other) const {
  require_equal("scheme", name_of(scheme_), name_of(other.scheme_));
  require_equal("num_bits", num_bits(), other.num_bits());
  require_equal("num_hashes", num_hashes_, other.num_hashes_);
}

std::vector<std::uint64_t> RedisBitmapFilter::indices(KeyView key) const {
  RedisProbes probes(scheme_, key, num_bits());
  std::vector<std::uint64_t> all(num_hashes_);
  for (std::uint64_t& index : all) index = probes.next();
  return all;
}

std::string_view RedisBitmapFilter::why_no_exact_rate(RedisScheme scheme) noexcept {
  if (scheme == RedisScheme::kJedis) {
    return "probes are double hashing modulo num_bits, which does not follow a probe model";
  }
  if (scheme == RedisScheme::kPhp3) {
    return "the three hashes ignore the end of keys of more than about nine bytes, so the rate "
           "depends on the keys: thousands of times that of uniform hashes for product URLs";
  }
  return {};
}

}  // namespace bloometry
