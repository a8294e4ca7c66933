#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/rates/sizing.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kPhpStepBits = 8192;  // php3 is sized in KiB

/// Returns the number of strings for which pyreBloom creates names: ceil(bits / 2^32), computed
/// with 32-bit floats. As a 32-bit float, 2^32 - 1 is rounded up to 2^32.
std::uint64_t num_named_strings(std::uint64_t num_bits) noexcept {
  return static_cast<std::uint64_t>(std::ceil(static_cast<float>(num_bits) / 0x1p32F));
}

void require_sizable(std::uint64_t capacity, double rate) {
  if (capacity == 0) throw ConfigError("capacity", "must be at least 1, got 0");
  if (!(rate > 0 && rate < 1)) {
    throw ConfigError("target_false_positive_rate",
                      "must be in (0, 1), got " + shortest_text(rate));
  }
}

}  // namespace

std::string_view name_of(RedisScheme scheme) noexcept {
  switch (scheme) {
    case RedisScheme::kJedis:
      return "jedis";
    case RedisScheme::kPyrebloom:
      return "pyrebloom";
    case RedisScheme::kPhp3:
      return "php3";
    case RedisScheme::kGoSeeded:
      break;
  }
  return "go_seeded";
}

RedisScheme redis_scheme_named(std::string_view name) {
  for (const RedisScheme scheme : kRedisSchemes) {
    if (name == name_of(scheme)) return scheme;
  }
  throw ConfigError("scheme", "must be one of jedis, pyrebloom, php3, go_seeded, got '" +
                                  std::string(name) + "'");
}

std::uint64_t max_redis_bits(RedisScheme scheme) noexcept {
  if (scheme == RedisScheme::kJedis) return kMaxJedisBits;
  if (scheme == RedisScheme::kPyrebloom) return kMaxPyrebloomBits;
  return std::uint64_t{1} << 32U;
}

std::uint64_t num_redis_strings(RedisScheme scheme, std::uint64_t num_bits) noexcept {
  if (scheme != RedisScheme::kPyrebloom) return 1;
  return (num_bits + kPyrebloomStringBits - 1) / kPyrebloomStringBits;
}

RedisSizes checked_redis_sizes(RedisScheme scheme, const RedisSizes& sizes) {
  const auto refuse_bits = [&](const std::string& what) {
    throw ConfigError("num_bits", "must be " + what + " with scheme " +
                                      std::string(name_of(scheme)) + ", got " +
                                      std::to_string(sizes.num_bits));
  };
  const bool is_php = scheme == RedisScheme::kPhp3;
  checked_num_hashes(sizes.num_hashes, is_php ? 3 : 1, is_php ? 3 : kMaxRedisHashes);
  if (sizes.num_bits == 0 || sizes.num_bits > max_redis_bits(scheme)) {
    refuse_bits("in [1, " + std::to_string(max_redis_bits(scheme)) + "]");
  }
  if (is_php && sizes.num_bits % kPhpStepBits != 0) refuse_bits("a multiple of 8192");
  const std::uint64_t num_strings = num_redis_strings(scheme, sizes.num_bits);
  const std::uint64_t num_named = num_named_strings(sizes.num_bits);
  if (scheme == RedisScheme::kPyrebloom && num_named < num_strings) {
    throw ConfigError("num_bits", "must not need more strings than pyreBloom creates, got " +
                                      std::to_string(sizes.num_bits) + " (needs " +
                                      std::to_string(num_strings) + ", creates " +
                                      std::to_string(num_named) + ")");
  }
  return sizes;
}

RedisSizes redis_sizes_for(RedisScheme scheme, std::uint64_t capacity,
                           double target_false_positive_rate) {
  require_sizable(capacity, target_false_positive_rate);
  if (scheme == RedisScheme::kPhp3) {
    throw ConfigError("target_false_positive_rate",
                      "must be left out with scheme php3, which is sized in KiB");
  }
  if (scheme == RedisScheme::kPyrebloom && capacity > 0xffffffffU) {
    throw ConfigError("capacity", "must be at most 4294967295 with scheme pyrebloom, got " +
                                      std::to_string(capacity));
  }
  const auto n = static_cast<double>(capacity);
  const double log_2 = std::log(2.0);
  const double exact_bits = -n * std::log(target_false_positive_rate) / (log_2 * log_2);
  double num_bits =
      scheme == RedisScheme::kGoSeeded ? std::ceil(exact_bits) : std::floor(exact_bits);
  const auto limit = static_cast<double>(max_redis_bits(scheme));
  if (scheme == RedisScheme::kJedis)
    num_bits = std::min(num_bits, limit);  // as in Java's cast to int
  if (!(num_bits >= 1 && num_bits <= limit)) {
    throw ConfigError("capacity", "must give 1 to " + std::to_string(max_redis_bits(scheme)) +
                                      " bits with scheme " + std::string(name_of(scheme)) +
                                      ", got " + std::to_string(capacity) + ", which gives " +
                                      shortest_text(num_bits) + " at the rate " +
                                      shortest_text(target_false_positive_rate));
  }
  // The result equals Math.round of Java except for exact halves, which cannot occur because ln 2
  // is irrational.
  const double num_hashes = scheme == RedisScheme::kJedis
                                ? std::max(1.0, std::floor(num_bits / n * log_2 + 0.5))
                                : std::ceil(log_2 * num_bits / n);
  return {static_cast<std::uint64_t>(num_bits), static_cast<unsigned>(num_hashes)};
}

}  // namespace bloometry
