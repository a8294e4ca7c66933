#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/hashed_chunks.hpp"
#include "core/hash/hasher.hpp"
#include "core/redis/redis_client.hpp"
#include "core/redis/redis_error.hpp"
#include "variants/redis/bit_offsets.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/rotating_parameters.hpp"
#include "variants/redis/rotating_state.hpp"

namespace bloometry {

/// A rotating filter in Redis, and its state when it was found.
struct RotatingLocation {
  std::string name{};
  RotatingParameters parameters{};
  RedisFields fields{};  ///< the stored parameters, without the state
  RotatingState state{};
};

/// Creates an empty rotating filter.
/// @returns the stored parameters, including their version
/// @throws RedisError: kChanged if a filter or another value has the name
RotatingParameters create_rotating_in_redis(RedisClient& client, const std::string& name,
                                            RotatingParameters parameters);

/// Finds a rotating filter.
/// @throws RedisError: kMissing if no filter has the name, kChanged if its parameters are damaged;
/// ConfigError if the filter does not rotate
[[nodiscard]] RotatingLocation find_rotating_in_redis(RedisClient& client, const std::string& name);

/// Returns whether a filter with the name exists and rotates.
/// @throws RedisError if a command fails
[[nodiscard]] bool is_rotating_in_redis(RedisClient& client, const std::string& name);

/// Deletes a rotating filter with all its keys, also if its parameters are damaged.
/// @returns whether the filter existed
/// @throws RedisError if a command fails; ConfigError if the filter does not rotate
bool drop_rotating_from_redis(RedisClient& client, const std::string& name);

/// A live generation, as the server reports it.
struct LiveGeneration {
  RedisGeneration generation{};
  std::uint64_t num_ones = 0;        ///< number of set bits
  std::chrono::milliseconds age{0};  ///< time since it began; negative if the clock was set back
  std::chrono::milliseconds expires{0};  ///< time until it expires
};

/// A filter in Redis that several services share, and that forgets a key some time after its last
/// insert. The services can thereby recognise repeated requests:
///
///     auto client = connect_redis(parse_redis_url("redis://localhost"));
///     RotatingInRedis seen(client, find_rotating_in_redis(*client, "seen"), Xxh3Hasher(0));
///     const RedisAnswer answer = seen.lookup_and_insert(request);
///     if (answer.is_absent()) handle(request);  // of all services, one gets this answer
///
/// **Promise.** A key is present from its insert at time t of the server's clock until the clock
/// first reaches t + W, where W is the window. It is forgotten when the clock reaches t + B L
/// (README). If the clock is set back, keys are present for this time longer. If it is set forward,
/// they are forgotten earlier. The promise holds if the server evicts no keys. After a failover, it
/// holds for inserts that wait_for_replicas has confirmed.
///
/// An error is never "absent". A generation that was created, has not expired and is missing is an
/// error (kMissing), and so are inserts that the server has lost (kChanged).
///
/// Cost: one round trip per batch. Only one thread may use an object at a time.
class RotatingInRedis {
 public:
  struct Options {
    std::size_t batch_keys = 1000;  ///< number of keys in one script
  };

  /// Opens a filter.
  /// @param hash the hash of the filter; must outlive the RotatingInRedis object
  RotatingInRedis(std::shared_ptr<RedisClient> client, RotatingLocation location,
                  const HashCall& hash, Options options);

  RotatingInRedis(std::shared_ptr<RedisClient> client, RotatingLocation location,
                  const HashCall& hash)
      : RotatingInRedis(std::move(client), std::move(location), hash, Options()) {}

  /// Opens a filter with a hash that the object owns.
  /// @throws ConfigError if the filter was created with another hash
  template <Hasher H>
  RotatingInRedis(std::shared_ptr<RedisClient> client, RotatingLocation location, const H& hasher)
      : RotatingInRedis(std::move(client), std::move(location), std::make_shared<const H>(hasher)) {
  }

  /// Returns one answer per key, and does not write.
  /// @throws RedisError if the server does not answer for all keys
  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> keys);

  /// Returns the answer for one key. If the query fails, the answer contains the error.
  [[nodiscard]] RedisAnswer lookup(KeyView key);

  /// Inserts keys, and returns for each key whether it was present before its insert. If several
  /// clients insert a key at once, exactly one of them receives "absent", unless the key is a false
  /// positive. The second of two equal keys in a list is present. The insert of a present key makes
  /// the key present for another window. The client repeats a batch whose reply was lost, and
  /// receives the answers of the first attempt.
  /// @throws RedisError if a batch fails; the earlier batches have been inserted, and the failed
  /// batch may have been inserted
  [[nodiscard]] std::vector<Presence> query_and_insert(std::span<const KeyView> keys);

  /// Inserts one key, and returns whether it was present before. If the insert fails, the answer
  /// contains the error, and the key may have been inserted.
  [[nodiscard]] RedisAnswer lookup_and_insert(KeyView key);

  /// Blocks until num_replicas replicas have all keys that this object has inserted.
  /// @throws RedisError if the time-out expires or a command fails
  void wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout);

  /// Opens the filter that now exists under the same name, after kChanged or kMissing.
  /// @throws the errors of find_rotating_in_redis; ConfigError if the filter was created with
  /// another hash
  void reopen();

  /// Returns the live generations, newest first. The server counts all bits.
  /// @throws RedisError as query does, or if the user may not run BITCOUNT
  [[nodiscard]] std::vector<LiveGeneration> live_generations();

  /// Returns the location, with the state that the filter had when it was opened.
  [[nodiscard]] const RotatingLocation& location() const noexcept { return location_; }

 private:
  template <Hasher H>
  RotatingInRedis(std::shared_ptr<RedisClient> client, RotatingLocation location,
                  std::shared_ptr<const H> hasher)
      : RotatingInRedis(std::move(client), std::move(location), hash_call(*hasher)) {
    require_hash(location_.parameters.generation, header_of_hash(*hasher));
    hasher_ = std::move(hasher);
  }

  template <class RunBatch>
  [[nodiscard]] std::vector<Presence> in_batches(std::span<const KeyView> keys, RunBatch run_batch);
  [[nodiscard]] RedisCommands command(const std::string& script, std::span<const std::string> keys,
                                      std::span<const std::string> arguments,
                                      std::span<const KeyView> members) const;
  [[nodiscard]] RedisCommands insert_command(std::span<const KeyView> keys,
                                             std::uint64_t call) const;
  struct Checked;
  [[nodiscard]] Checked read(const std::string& script, std::span<const KeyView> keys);
  [[nodiscard]] RotatingState checked_state(const RedisFields& fields, bool is_intact) const;
  void check_strings(const std::vector<RedisGeneration>& live, const ReplyView& lengths) const;
  void take_counts(std::uint64_t num_updates, std::uint64_t newest);
  void query_batch(std::span<const KeyView> keys, std::vector<Presence>& answers);
  void insert_batch(std::span<const KeyView> keys, std::vector<Presence>& answers);
  void take_insert_reply(const ReplyView& reply, std::size_t num_keys,
                         std::vector<Presence>& answers);
  void add_answers(const ReplyView& reply, std::size_t num_keys,
                   std::vector<Presence>& answers) const;
  [[noreturn]] void fail(RedisFailure failure, const std::string& what) const;

  std::shared_ptr<RedisClient> client_;
  RotatingLocation location_;
  HashCall hash_;
  std::shared_ptr<const void> hasher_;
  Options options_;
  BitOffsets offsets_;
  std::vector<std::string> keys_;  // rotating_keys()
  std::string id_;                 // of this client
  std::uint64_t num_calls_ = 0;    // number of batches of inserts
  std::uint64_t updates_seen_ = 0;
  std::uint64_t newest_seen_ = 0;
};

}  // namespace bloometry
