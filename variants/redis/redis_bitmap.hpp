#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_error.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry {

/// How bits are read. Each reads what the others read (README, "Methods").
enum class ReadMethod {
  kBest,      ///< kGetRange of filters of blocks, else kBitField
  kGetBit,    ///< GETBIT for each bit
  kBitField,  ///< one BITFIELD_RO for all bits; Redis 6 or newer
  kGetRange,  ///< GETRANGE of the block of each key
};

/// Fields of a hash. @throws RedisError if the key holds something else
[[nodiscard]] RedisFields read_fields(RedisClient& client, const std::string& key);

/// The fields that HGETALL replied with.
[[nodiscard]] RedisFields fields_of(const ReplyView& reply);

/// What was confirmed of keys that were added.
struct AddedKeys {
  std::uint64_t num_new = 0;  ///< that changed a bit; too few if the reply of an attempt was lost

  friend bool operator==(const AddedKeys&, const AddedKeys&) = default;
};

/// One string of bits in Redis, and the proof that it is the one that was opened: GETBIT replies 0
/// for a string that is gone, so every read asks in the same MULTI whether it is there.
///
/// Beside a string with parameters they must be what they were, and the string as long as they say.
/// They also count the keys added; a count below one that was seen tells that the server has lost
/// some (an old snapshot, a failover). A string without parameters must be there and never become
/// shorter: Redis tells no more of it.
///
/// Not detected: bytes that another program overwrites in place (SET or SETRANGE of the same
/// length); keys that were lost before this object first read or set anything.
class RedisBitmap {
 public:
  /// A string with parameters beside it. @param num_bits of this string
  /// @throws ConfigError if the parameters have no version
  RedisBitmap(std::shared_ptr<RedisClient> client, std::string key, RedisFields parameters,
              std::uint64_t num_bits);

  /// A string that another program made, at most num_bits long.
  RedisBitmap(std::shared_ptr<RedisClient> client, std::string key, std::uint64_t num_bits);

  [[nodiscard]] const std::string& key() const noexcept { return key_; }

  /// Whether each bit is set. @param block_bits of kGetRange: every group of num_hashes offsets is
  /// in one aligned block of so many bits. A server whose memory is full queues nothing in MULTI;
  /// a script then asks it, whatever the method.
  /// @throws RedisError; nothing is known of any bit then
  [[nodiscard]] std::vector<bool> read(std::span<const std::uint64_t> offsets, unsigned num_hashes,
                                       std::uint64_t block_bits, ReadMethod method);

  /// Sets bits in one step, or none if the string is no longer the one that was opened; its
  /// expiry stays as it is. Every num_hashes offsets are a key.
  /// @throws RedisError; some attempt may have set them nevertheless
  AddedKeys set(std::span<const std::uint64_t> offsets, unsigned num_hashes);

  /// Returns when at least num_replicas replicas have all that was set. If the connection was lost
  /// since, or another server has taken over, they must have all that this one has, and it must
  /// have as many updates as were seen here. Other clients' updates can hide a loss from that
  /// count.
  /// @throws RedisError if it takes longer, kChanged if the server has lost keys
  void wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout);

  /// @throws RedisError unless the string is the one that was opened
  void require_same();

  /// The bytes [first, first + num_bytes) of the string. @throws RedisError
  [[nodiscard]] std::string bytes(std::uint64_t first, std::uint64_t num_bytes);

 private:
  [[nodiscard]] RedisCommands set_command(std::span<const std::uint64_t> offsets,
                                          unsigned num_hashes) const;
  AddedKeys take_set_reply(const ReplyView& reply);
  void ask_for_proof(RedisCommands& commands) const;
  /// Checks what the proof's commands replied, from element i on; returns the number of elements.
  std::size_t check_proof(const ReplyView& replies, std::size_t i);
  void check_parameters(const ReplyView& fields);
  [[nodiscard]] RedisReply read_between_proofs(const RedisCommands& commands);
  [[nodiscard]] std::vector<bool> read_in_transaction(std::span<const std::uint64_t> offsets,
                                                      unsigned num_hashes, std::uint64_t block_bits,
                                                      ReadMethod method);
  [[nodiscard]] std::vector<bool> read_by_script(std::span<const std::uint64_t> offsets);
  [[noreturn]] void fail(RedisFailure failure, const std::string& what) const;

  std::shared_ptr<RedisClient> client_;
  std::string key_;
  std::string parameters_key_;           // empty: no parameters
  std::optional<RedisFields> expected_;  // the parameters as they were opened
  std::uint64_t num_bytes_;
  std::uint64_t num_bytes_seen_ = 1;  // of a string without parameters
  std::uint64_t updates_seen_ = 0;
};

}  // namespace bloometry
