#pragma once

#include <cstdint>

#include "core/hash/key_view.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

namespace bloometry {

/// Computes the indices of a key, one at a time. The key must outlive this object. The scheme php3
/// has at most three indices.
class RedisProbes {
 public:
  /// The constructor requires num_bits >= 1.
  RedisProbes(RedisScheme scheme, KeyView key, std::uint64_t num_bits) noexcept;

  std::uint64_t next() noexcept;

 private:
  [[nodiscard]] std::uint64_t next_word() noexcept;

  RedisScheme scheme_;
  KeyView key_;
  std::uint64_t num_bits_;
  std::uint64_t state_ = 0;   // jedis: sum; pyrebloom: seed; other schemes: probe number
  std::uint64_t stride_ = 0;  // for jedis only
};

}  // namespace bloometry
