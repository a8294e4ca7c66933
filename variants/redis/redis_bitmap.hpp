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

/// The methods of reading bits from Redis. All methods read the same bits (README, "Methods").
enum class ReadMethod {
  kBest,      ///< kGetRange for filters of blocks, otherwise kBitField
  kGetBit,    ///< one GETBIT per bit
  kBitField,  ///< one BITFIELD_RO for all bits; needs Redis 6 or newer
  kGetRange,  ///< one GETRANGE of the block of each key
};

/// Returns the fields of a Redis hash.
/// @throws RedisError if the key holds a value of another type
[[nodiscard]] RedisFields read_fields(RedisClient& client, const std::string& key);

/// Returns the fields of a reply to HGETALL.
[[nodiscard]] RedisFields fields_of(const ReplyView& reply);

/// The result of adding keys, as confirmed by the server.
struct AddedKeys {
  std::uint64_t num_new = 0;  ///< number of keys that changed a bit; too low if a reply was lost

  friend bool operator==(const AddedKeys&, const AddedKeys&) = default;
};

/// One string of bits in Redis. The class checks that the string has not been replaced since it was
/// opened. GETBIT replies 0 for a missing string, so every read checks in the same MULTI that the
/// string exists.
///
/// A string with parameters must still have the same parameters and the length that the parameters
/// state. The parameters also count the added keys. A count below an earlier count proves that the
/// server lost keys, for example by an old snapshot or a failover. A string without parameters must
/// exist and must not become shorter; Redis provides no more information about it.
///
/// The class does not detect two kinds of loss. Another program may overwrite bytes in place (SET
/// or SETRANGE of the same length). The server may have lost keys before this object first read or
/// set bits.
class RedisBitmap {
 public:
  /// Opens a string that has parameters.
  /// @param num_bits number of bits of the string
  /// @throws ConfigError if the parameters do not have a version
  RedisBitmap(std::shared_ptr<RedisClient> client, std::string key, RedisFields parameters,
              std::uint64_t num_bits);

  /// Opens a string that another program created, with at most num_bits bits.
  RedisBitmap(std::shared_ptr<RedisClient> client, std::string key, std::uint64_t num_bits);

  [[nodiscard]] const std::string& key() const noexcept { return key_; }

  /// Returns for each of the given offsets whether the bit is set. A server whose memory is full
  /// does not accept commands in MULTI. In this state, every method reads the bits by a script.
  /// @param block_bits length of a block for kGetRange; every group of num_hashes offsets is in one
  /// aligned block of this length
  /// @throws RedisError if the read fails; the state of every bit is then unknown
  [[nodiscard]] std::vector<bool> read(std::span<const std::uint64_t> offsets, unsigned num_hashes,
                                       std::uint64_t block_bits, ReadMethod method);

  /// Sets the bits at the given offsets in one step. If the string has been replaced since it was
  /// opened, the function throws an error and does not set bits. The function does not change the
  /// expiry of the string. Each group of num_hashes offsets belongs to one key.
  /// @throws RedisError if the update fails; the bits may have been set nevertheless
  AddedKeys set(std::span<const std::uint64_t> offsets, unsigned num_hashes);

  /// Blocks until at least num_replicas replicas have all bits that this object set. If the
  /// connection was lost after the last insert, or another server has taken over, the replicas must
  /// have all data of the present server. The count of updates on the present server must be at
  /// least the largest count that this object has read. Updates of other clients can increase the
  /// count and thereby hide a loss of keys.
  /// @throws RedisError if the time-out expires; the failure is kChanged if the server has lost
  /// keys
  void wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout);

  /// Checks the string.
  /// @throws RedisError if the string has been replaced since it was opened
  void require_same();

  /// Returns the bytes [first, first + num_bytes) of the string.
  /// @throws RedisError if the read fails
  [[nodiscard]] std::string bytes(std::uint64_t first, std::uint64_t num_bytes);

 private:
  [[nodiscard]] RedisCommands set_command(std::span<const std::uint64_t> offsets,
                                          unsigned num_hashes) const;
  AddedKeys take_set_reply(const ReplyView& reply);
  void require_num_bits(std::size_t got, std::size_t num_requested) const;
  void add_proof(RedisCommands& commands) const;
  /// Checks the replies to the commands that identify the string, from element i on. Returns the
  /// number of elements that were checked.
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
  std::string parameters_key_;           // empty if the string has no parameters
  std::optional<RedisFields> expected_;  // the parameters at the time of opening
  std::uint64_t num_bytes_;
  std::uint64_t num_bytes_seen_ = 1;  // largest known length; for a string without parameters
  std::uint64_t updates_seen_ = 0;
};

}  // namespace bloometry
