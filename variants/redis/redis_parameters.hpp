#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/contract/filter_spec.hpp"
#include "core/file/file_header.hpp"
#include "core/hash/hasher.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

namespace bloometry {

/// Maximum number of bitmaps of one filter. The maximum equals the number of slots of a cluster.
inline constexpr std::uint64_t kMaxShards = 16384;

/// Fields of a Redis hash.
using RedisFields = std::map<std::string, std::string>;

/// The parameters stored beside a bitmap. A client needs only the bitmap and these parameters for
/// queries.
struct RedisParameters {
  std::string version{};                ///< 32 hexadecimal digits, different for every load
  std::optional<RedisScheme> scheme{};  ///< scheme of another program; absent if native
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;
  // Fields of a native filter:
  std::string variant{};
  std::string probes{};
  std::string hash{};
  std::optional<std::uint64_t> seed{};
  std::optional<std::uint64_t> key_id{};  ///< id of the secret, for a hash with a secret
  std::uint64_t block_bits = 1;           ///< bits per block; 1 for a filter without blocks
  FileNotes notes{};
  /// Number of set bits when the filter was loaded. Filters that version 0.1.0 loaded lack it.
  std::optional<std::uint64_t> num_ones{};
  /// Number of bitmaps into which the bits are divided. Each bitmap but the last has shard_bits
  /// bits.
  std::uint64_t num_shards = 1;
  std::uint64_t shard_bits = 0;  ///< number of bits per shard; 0 if the filter is not sharded

  [[nodiscard]] Geometry geometry() const;

  /// Returns the header that a file of the native filter has.
  [[nodiscard]] FileHeader header() const;

  /// Returns `native` or the name of the scheme.
  [[nodiscard]] std::string_view scheme_name() const noexcept;

  [[nodiscard]] RedisFields fields() const;
};

/// Returns the parameters of a filter file with one array of bits. The variant must be one of
/// variants_of_bits().
/// @throws ConfigError if the file has another variant or does not name a hash
[[nodiscard]] RedisParameters native_parameters(const FileHeader& header);

[[nodiscard]] RedisParameters foreign_parameters(RedisScheme scheme, const RedisSizes& sizes);

/// Returns a header that describes only a hasher: its name, and its seed or the id of its secret.
template <Hasher H>
[[nodiscard]] FileHeader header_of_hash(const H& hasher) {
  FileHeader header;
  header.hash = H::kName;
  if constexpr (SecretHasher<H>) {
    header.key_id = hasher.key_id();
  } else if constexpr (SeededHasher<H>) {
    header.seed = hasher.seed();
  }
  return header;
}

/// Checks that a filter has the given hash.
/// @param given result of header_of_hash()
/// @throws ConfigError if the hash, its seed or its secret is another one, or if the filter has the
/// scheme of another program
void require_hash(const RedisParameters& parameters, const FileHeader& given);

/// Returns the value of the field `checksum`: the XXH64 of all other fields but `updates`, as 16
/// hexadecimal digits.
[[nodiscard]] std::string checksum_of(const RedisFields& fields);

/// Reads the fields that RedisParameters::fields() returns, and ignores the field `updates`.
/// @throws ConfigError if a field is missing or invalid; the message names the first such field
[[nodiscard]] RedisParameters parse_parameters(const RedisFields& fields);

/// Returns a random version, which differs from the version of every other load.
[[nodiscard]] std::string random_version();

/// Name of the field that counts the keys added since the load. After a load, only the field
/// `updates` changes.
inline constexpr const char* kUpdatesField = "updates";

/// Name of the field that contains the checksum.
inline constexpr const char* kChecksumField = "checksum";

}  // namespace bloometry
