#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "variants/foreign/redisbloom/redisbloom_link.hpp"

namespace bloometry {

/// The options that determine what a chain of RedisBloom filters does when the newest link is full.
struct RedisBloomOptions {
  /// Capacity of a link divided by the capacity of the previous link. The value 0 is allowed only
  /// in a chain that does not scale.
  std::uint32_t expansion = 2;
  bool is_scaling = true;  ///< whether a chain grows; if false, a full chain rejects items
  RedisBloomSizing sizing = RedisBloomSizing::kWholeWords;
};

/// A reply of BF.SCANDUMP. The fields are also the arguments of BF.LOADCHUNK.
struct RedisBloomChunk {
  std::int64_t iterator = 0;
  std::string data{};
};

/// Size of the largest chunk that the server sends, in bytes.
inline constexpr std::uint64_t kRedisBloomMaxChunkBytes = 16'777'216;

/// The header of a dump: the first chunk, which precedes the bits.
struct RedisBloomHeader {
  struct Link {
    RedisBloomShape shape;
    std::uint64_t num_items = 0;
  };

  RedisBloomOptions options;
  std::vector<Link> links;

  static constexpr std::uint64_t kChainBytes = 20;
  static constexpr std::uint64_t kLinkBytes = 53;

  /// Returns the number of bytes of the header at the start of `bytes`.
  /// @throws ConfigError if `bytes` is shorter than the header, or if the header does not have a
  /// link.
  static std::uint64_t size_at(std::string_view bytes);

  /// Reads the whole header of a dump. The function rejects headers that the server rejects and
  /// headers that servers never write.
  /// @throws ConfigError if a field is not valid. The error message names the field, its value and
  /// the allowed values.
  static RedisBloomHeader parse(std::string_view bytes);

  [[nodiscard]] std::string serialize() const;
};

}  // namespace bloometry
