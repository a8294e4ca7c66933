#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/hashed_chunks.hpp"
#include "core/hash/hasher.hpp"
#include "core/redis/redis_client.hpp"
#include "core/redis/redis_error.hpp"
#include "variants/redis/bit_offsets.hpp"
#include "variants/redis/redis_bitmap.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry {

/// The result of a query. Presence is not a bool, so that an error or a conversion cannot become
/// "absent" by mistake.
enum class Presence : std::uint8_t {
  kAbsent = 1,  ///< the key is certainly absent
  kPresent = 2  ///< the key is present, or a false positive
};

/// The answer of a lookup of one key: absent, present or an error.
class RedisAnswer {
 public:
  explicit RedisAnswer(Presence presence) noexcept : presence_(presence) {}

  explicit RedisAnswer(RedisError error) : error_(std::move(error)) {}

  /// Returns true if the key is certainly absent, and false for any other answer.
  [[nodiscard]] bool is_absent() const noexcept { return presence_ == Presence::kAbsent; }

  /// Returns the result.
  /// @throws RedisError if the answer is an error
  [[nodiscard]] Presence presence() const {
    if (error_) throw RedisError(*error_);
    return *presence_;
  }

  /// Returns the error, or null if the answer is not an error.
  [[nodiscard]] const RedisError* error() const noexcept { return error_ ? &*error_ : nullptr; }

 private:
  std::optional<Presence> presence_;
  std::optional<RedisError> error_;
};

/// The location of a filter in Redis, and the parameters that describe its bits.
struct RedisLocation {
  std::string name{};
  RedisParameters parameters{};
  /// The parameters as stored, including `updates`. The map is empty for a bitmap that another
  /// program created.
  RedisFields fields{};

  [[nodiscard]] bool has_parameters() const noexcept { return !fields.empty(); }

  [[nodiscard]] bool is_cut() const noexcept { return parameters.shard_bits > 0; }

  /// Returns the names of the strings that hold the bits. The name is `NAME` for a filter of one
  /// string, `NAME.i` for string i of pyrebloom, and `NAME:{i}:VERSION` for shard i of a sharded
  /// filter.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// The function bits_per_string returns the number of bits of every string but the last. The
  /// function bits_of_string returns the number of bits of string i.
  [[nodiscard]] std::uint64_t bits_per_string() const noexcept;
  [[nodiscard]] std::uint64_t bits_of_string(std::uint64_t i) const noexcept;
};

/// Finds a filter that was loaded with its parameters.
/// @throws RedisError: kMissing if the filter does not exist, kChanged if its parameters are
/// damaged; ConfigError if the filter rotates (find_rotating_in_redis)
[[nodiscard]] RedisLocation find_in_redis(RedisClient& client, const std::string& name);

/// Finds a bitmap without parameters that another program created.
/// @throws RedisError, kMissing if the bitmap does not exist; ConfigError if the program of the
/// scheme cannot create a bitmap of these sizes
[[nodiscard]] RedisLocation find_bitmap_in_redis(RedisClient& client, const std::string& name,
                                                 RedisScheme scheme, const RedisSizes& sizes);

/// Checks that the filter has at least as many set bits as when it was loaded, because adding keys
/// never clears a bit. If the number at the load is unknown but keys were inserted, one set bit
/// suffices. The check detects a bitmap that was deleted and created again at its full length.
/// Sends BITCOUNT for each string, unless zero set bits are possible. The server reads all bits.
/// @throws RedisError: kChanged if bits are missing, kRefused if the user may not run BITCOUNT
void require_kept_bits(RedisClient& client, const RedisLocation& location);

/// A Bloom filter whose bits are in Redis, so that programs in any language can share the filter.
///
///     auto client = connect_redis(parse_redis_url("redis://localhost"));
///     RedisFilter seen(client, find_in_redis(*client, "seen"), Xxh3Hasher(0));
///     if (seen.lookup(url).is_absent()) return not_found();
///
/// The class checks that every answer comes from the filter that was opened (RedisBitmap). If the
/// filter is missing, replaced or damaged, or the server does not reply, the class reports an error
/// and never the answer "absent".
/// Cost: one round trip per batch. A sharded filter needs three round trips, and one more for each
/// further shard. Only one thread may use a filter at a time. Several filters in one thread may
/// share the client.
class RedisFilter {
 public:
  struct Options {
    ReadMethod method = ReadMethod::kBest;
    std::size_t batch_keys = 1000;  ///< number of keys queried or added in one MULTI
  };

  /// Opens a native filter.
  /// @param hash the hash of the filter; must outlive the RedisFilter object
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location, const HashCall& hash,
              Options options);

  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location, const HashCall& hash)
      : RedisFilter(std::move(client), std::move(location), hash, Options()) {}

  /// Opens a native filter with a hash that the filter owns.
  /// @throws ConfigError if the filter was built with another hash
  template <Hasher H>
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location, const H& hasher)
      : RedisFilter(std::move(client), std::move(location), std::make_shared<const H>(hasher)) {}

  /// Opens a filter of another program. The scheme of the filter determines the hash.
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location)
      : RedisFilter(std::move(client), std::move(location), HashCall{}) {}

  /// Returns one answer per key.
  /// @throws RedisError if the server does not answer for all keys
  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> keys);

  /// Returns the answer for one key. If the query fails, the answer contains the error.
  [[nodiscard]] RedisAnswer lookup(KeyView key);

  /// Adds keys. The keys of a batch are added in one step or not at all. Adding a key again is
  /// safe.
  /// @throws RedisError if a batch fails; the earlier batches have been added, and the failed batch
  /// may have been added
  AddedKeys insert(std::span<const KeyView> keys);

  /// Blocks until num_replicas replicas of every string have the added keys.
  /// @throws RedisError if the time-out expires or a command fails
  void wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout);

  /// Opens the filter that now exists under the same name. Use reopen after RedisFailure::kChanged,
  /// or after kMissing if the filter has been loaded again.
  /// @throws the errors of find_in_redis or find_bitmap_in_redis; ConfigError if the filter was
  /// built with another hash
  void reopen();

  [[nodiscard]] const RedisLocation& location() const noexcept { return location_; }

 private:
  template <Hasher H>
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location,
              std::shared_ptr<const H> hasher)
      : RedisFilter(std::move(client), std::move(location), hash_call(*hasher)) {
    require_hash(location_.parameters, header_of_hash(*hasher));
    hasher_ = std::move(hasher);
  }

  void require_current();
  void query_batch(std::span<const KeyView> keys, std::vector<Presence>& answers);
  AddedKeys insert_batch(std::span<const KeyView> keys);

  std::shared_ptr<RedisClient> client_;
  RedisLocation location_;
  HashCall hash_;
  std::shared_ptr<const void> hasher_;
  Options options_;
  BitOffsets offsets_;
  std::vector<RedisBitmap> strings_;
};

}  // namespace bloometry
