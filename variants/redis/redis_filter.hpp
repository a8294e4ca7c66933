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

/// What a filter says of a key. No bool: neither of an error nor of a mistake becomes "absent".
enum class Presence : std::uint8_t {
  kAbsent = 1,  ///< for sure
  kPresent = 2  ///< with the filter's false-positive rate wrong
};

/// The answer of RedisFilter::ask: absent, present, or an error that is neither.
class RedisAnswer {
 public:
  explicit RedisAnswer(Presence presence) noexcept : presence_(presence) {}

  explicit RedisAnswer(RedisError error) : error_(std::move(error)) {}

  /// Whether it is sure that the key is absent. False if nothing is known.
  [[nodiscard]] bool is_absent() const noexcept { return presence_ == Presence::kAbsent; }

  /// @throws the error if there is one
  [[nodiscard]] Presence presence() const {
    if (error_) throw RedisError(*error_);
    return *presence_;
  }

  /// Null if the filter has answered.
  [[nodiscard]] const RedisError* error() const noexcept { return error_ ? &*error_ : nullptr; }

 private:
  std::optional<Presence> presence_;
  std::optional<RedisError> error_;
};

/// A filter in Redis: where its bits are, and what they mean.
struct RedisLocation {
  std::string name{};
  RedisParameters parameters{};
  /// As stored, `updates` included; empty of a bitmap that another program made.
  RedisFields fields{};

  [[nodiscard]] bool has_parameters() const noexcept { return !fields.empty(); }

  [[nodiscard]] bool is_cut() const noexcept { return parameters.shard_bits > 0; }

  /// The strings that the bits are in: `NAME`; `NAME.0`, `NAME.1` ... of pyrebloom;
  /// `NAME:{0}:VERSION` ... of one that is cut.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Bits of every string but the last, and of string i.
  [[nodiscard]] std::uint64_t bits_per_string() const noexcept;
  [[nodiscard]] std::uint64_t bits_of_string(std::uint64_t i) const noexcept;
};

/// Looks a filter up that was loaded with its parameters.
/// @throws RedisError, kMissing if there is none, kChanged if its parameters are damaged
[[nodiscard]] RedisLocation find_in_redis(RedisClient& client, const std::string& name);

/// A bitmap that another program made and that has no parameters.
/// @throws RedisError, kMissing if it is not there; ConfigError if scheme and sizes do not fit
[[nodiscard]] RedisLocation find_bitmap_in_redis(RedisClient& client, const std::string& name,
                                                 RedisScheme scheme, const RedisSizes& sizes);

/// A Bloom filter whose bits are in Redis, where programs of any language share it.
///
///     auto client = connect_redis(parse_redis_url("redis://localhost"));
///     RedisFilter seen(client, find_in_redis(*client, "seen"), Xxh3Hasher(0));
///     if (seen.ask(url).is_absent()) return not_found();
///
/// Every answer was proved to come from the filter that was opened (RedisBitmap). A filter that is
/// gone, replaced or damaged is an error, and so is a server that does not reply; never "absent".
/// Cost: one round trip a batch, three if it is cut into shards and one more for each further
/// shard. One thread at a time; the client may be shared by filters of that thread.
class RedisFilter {
 public:
  struct Options {
    ReadMethod method = ReadMethod::kBest;
    std::size_t batch_keys = 1000;  ///< asked or added in one MULTI
  };

  /// @param hash of a native filter; it outlives the filter
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location, const HashCall& hash,
              Options options);

  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location, const HashCall& hash)
      : RedisFilter(std::move(client), std::move(location), hash, Options()) {}

  /// The same with a hash of its own. @throws ConfigError if the filter was built with another one
  template <Hasher H>
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location, const H& hasher)
      : RedisFilter(std::move(client), std::move(location), std::make_shared<const H>(hasher)) {}

  /// Another program's filter, whose scheme names the hash.
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location)
      : RedisFilter(std::move(client), std::move(location), HashCall{}) {}

  /// An answer for each key. @throws RedisError: then there is none for any of them
  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> keys);

  /// The same of one key, with the error as a value.
  [[nodiscard]] RedisAnswer ask(KeyView key);

  /// Adds keys. Those of a batch are added in one step or not at all; repeating is harmless.
  /// @throws RedisError: batches before the one that failed have been added, and perhaps this one
  AddedKeys insert(std::span<const KeyView> keys);

  /// Returns when so many replicas of every string have what was added. @throws RedisError
  void wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout);

  /// Takes the filter that is there now, after RedisFailure::kChanged, or after kMissing if it has
  /// been loaded again.
  /// @throws as find_in_redis or find_bitmap_in_redis; ConfigError if it was built with another
  /// hash
  void reopen();

  [[nodiscard]] const RedisLocation& location() const noexcept { return location_; }

 private:
  template <Hasher H>
  RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location,
              std::shared_ptr<const H> hasher)
      : RedisFilter(std::move(client), std::move(location), hash_call(*hasher)) {
    FileHeader header;
    header.hash = H::kName;
    if constexpr (SecretHasher<H>) {
      header.key_id = hasher->key_id();
    } else if constexpr (SeededHasher<H>) {
      header.seed = hasher->seed();
    }
    require_hash(header);
    hasher_ = std::move(hasher);
  }

  void require_hash(const FileHeader& given) const;
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
