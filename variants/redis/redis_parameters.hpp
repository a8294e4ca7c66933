#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/file/file_header.hpp"
#include "core/filter/filter_spec.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

namespace bloometry {

/// Most bitmaps that a filter is cut into: one for each slot of a cluster.
inline constexpr std::uint64_t kMaxShards = 16384;

/// Fields of a hash in Redis.
using RedisFields = std::map<std::string, std::string>;

/// What is stored beside a bitmap: all that must be known to ask it.
struct RedisParameters {
  std::string version{};                ///< 32 hexadecimal digits, drawn anew by every load
  std::optional<RedisScheme> scheme{};  ///< absent: native, a variant of this library
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;
  // Of a native filter:
  std::string variant{};
  std::string probes{};
  std::string hash{};
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< of a hash with a secret, in place of the seed
  std::uint64_t block_bits = 1;           ///< 1: a filter without blocks
  FileNotes notes{};
  /// The bits are cut into this many bitmaps of shard_bits bits, the last of what is left.
  std::uint64_t num_shards = 1;
  std::uint64_t shard_bits = 0;  ///< 0: not cut

  [[nodiscard]] Geometry geometry() const;

  /// The header of the native filter's file.
  [[nodiscard]] FileHeader header() const;

  /// `native` or the name of the scheme.
  [[nodiscard]] std::string_view scheme_name() const noexcept;

  [[nodiscard]] RedisFields fields() const;
};

/// Parameters of a filter file with one store of bits: standard, partitioned, blocked, split_block,
/// lanes.
/// @throws ConfigError if the variant is another one, or the file names no hash
[[nodiscard]] RedisParameters native_parameters(const FileHeader& header);

[[nodiscard]] RedisParameters foreign_parameters(RedisScheme scheme, const RedisSizes& sizes);

/// What the field `checksum` holds: XXH64 of all other fields but `updates`, as 16 hexadecimal
/// digits.
[[nodiscard]] std::string checksum_of(const RedisFields& fields);

/// Reads what fields() wrote; the field `updates` is skipped.
/// @throws ConfigError naming the first field that is missing or cannot be
[[nodiscard]] RedisParameters parse_parameters(const RedisFields& fields);

/// A version that no other load draws.
[[nodiscard]] std::string random_version();

/// Counts the keys that were added since the load: the one field of the hash that changes.
inline constexpr const char* kUpdatesField = "updates";

}  // namespace bloometry
