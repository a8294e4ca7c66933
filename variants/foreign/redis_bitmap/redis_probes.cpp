#include "variants/foreign/redis_bitmap/redis_probes.hpp"

#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/murmur64a_hasher.hpp"
#include "core/study_hash/php_hashes.hpp"

namespace bloometry {
namespace {

/// The linear congruential generator of the seeds of pyreBloom, modulo 2^32 (bloom.c).
constexpr std::uint32_t kFirstSeed = 314159265;

constexpr std::uint32_t seed_after(std::uint32_t seed) noexcept {
  return seed * 1664525U + 1013904223U;
}

std::uint64_t php_hash(KeyView key, std::uint64_t number) noexcept {
  if (number == 0) return php_hash_of_state(php_bkdr_state(key));
  if (number == 1) return php_hash_of_state(php_js_state(key));
  return php_hash_of_state(php_sdbm_state(key));
}

}  // namespace

RedisProbes::RedisProbes(RedisScheme scheme, KeyView key, std::uint64_t num_bits) noexcept
    : scheme_(scheme), key_(key), num_bits_(num_bits) {
  if (scheme == RedisScheme::kPyrebloom) state_ = kFirstSeed;
  if (scheme != RedisScheme::kJedis) return;
  const Digest digest = murmur3_x64_128(key, 0);
  state_ = digest.lo;
  stride_ = digest.hi;
}

std::uint64_t RedisProbes::next() noexcept {
  return next_word() % num_bits_;
}

std::uint64_t RedisProbes::next_word() noexcept {
  const std::uint64_t state = state_;
  switch (scheme_) {
    case RedisScheme::kJedis:
      state_ += stride_;
      return state & 0x7fffffffffffffffU;
    case RedisScheme::kPyrebloom:
      state_ = seed_after(static_cast<std::uint32_t>(state));
      return murmur64a(key_, state);
    case RedisScheme::kPhp3:
      ++state_;
      return php_hash(key_, state);
    case RedisScheme::kGoSeeded:
      break;
  }
  ++state_;
  return murmur3_x64_128(key_, state).lo;
}

}  // namespace bloometry
