#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/file_header.hpp"
#include "variants/redis/redis_parameters.hpp"
#include "variants/rotating/rotating_params.hpp"

/// The parameters of a rotating filter in Redis. A rotating filter has B generations, each a filter
/// of bits in a string of its own. It writes to the newest generation and queries all of them. The
/// server's clock determines which generation is the newest, so all clients agree about it.
namespace bloometry {

/// Longest window of a rotating filter, which is 317 years. Times in the filter then are below 2^53
/// ms, which the numbers of a script represent exactly.
inline constexpr std::chrono::milliseconds kMaxWindow{std::int64_t{10'000'000'000'000}};

/// A rotating filter as requested.
struct RotatingRequest {
  /// Time for which a key is found after its insert, at least. From one millisecond per generation
  /// but the first to kMaxWindow.
  std::chrono::milliseconds window{0};
  std::uint64_t generations = 8;  ///< B, from kMinGenerations to kMaxGenerations
  /// n: number of inserts per window, repeated ones included, if they arrive evenly
  std::uint64_t capacity = 0;
  double target_false_positive_rate = 0.01;  ///< P, of the whole filter
  std::string variant = "standard";          ///< one of variants_of_bits()
  std::string probes{};                      ///< scheme; empty: the default of the variant
};

struct RotatingParameters {
  /// The filter of one generation, whose notes are its capacity g and its rate f. The version is
  /// that of the rotating filter.
  RedisParameters generation{};
  std::chrono::milliseconds window{0};      ///< W
  std::uint64_t generations = 0;            ///< B
  std::uint64_t capacity = 0;               ///< n
  double target_false_positive_rate = 0.0;  ///< P

  /// Returns L = ceil(W / (B - 1)), the time for which a generation is the newest.
  [[nodiscard]] std::chrono::milliseconds generation_time() const noexcept;

  /// Returns the time for which a key is found after its insert, at most: B L.
  [[nodiscard]] std::chrono::milliseconds longest_time() const noexcept;

  /// Returns g = ceil(n / (B - 1)), the number of inserts for which a generation is sized.
  [[nodiscard]] std::uint64_t generation_capacity() const noexcept;

  /// Returns the length of the string of each generation in bytes.
  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return (generation.num_bits + 7) / 8; }

  /// Returns the number of the slot of a generation, whose string has the key
  /// generation_key(name, slot).
  [[nodiscard]] std::uint64_t slot_of(std::uint64_t number) const noexcept {
    return number % generations;
  }

  /// Returns the time at which a generation expires, in milliseconds since 1970:
  /// (number + B) L. The next generation of the slot begins at this time.
  [[nodiscard]] std::uint64_t expiry_ms(std::uint64_t number) const noexcept;

  /// Returns the fields of the Redis hash that do not change.
  [[nodiscard]] RedisFields fields() const;
};

/// Returns the parameters of the requested filter, without a version. Each generation is sized for
/// g keys at the rate f = 1 - (1 - P)^(1/B), so that B full generations have the rate P.
/// @param hash header with the hash of the keys: hash, and seed or key_id
/// @throws ConfigError if a value is out of range, or if a generation needs more than 2^32 bits
[[nodiscard]] RotatingParameters rotating_parameters(const RotatingRequest& request,
                                                     const FileHeader& hash);

/// Returns whether the fields are those of a rotating filter.
[[nodiscard]] bool is_rotating(const RedisFields& fields);

/// Reads the fields that RotatingParameters::fields() returns, and ignores the fields of the state.
/// @throws ConfigError if a field is missing, invalid or unknown; the message names the field
[[nodiscard]] RotatingParameters parse_rotating_parameters(const RedisFields& fields);

/// Removes the fields of the state, which every insert changes, and returns the other fields.
[[nodiscard]] RedisFields without_state(RedisFields fields);

// The names of the fields of the state.
inline constexpr const char* kCreatedField = "created";
inline constexpr const char* kStateChecksumField = "state_checksum";

/// Returns `{seen}:generation:3` for `seen` and slot 3.
[[nodiscard]] std::string generation_key(std::string_view name, std::uint64_t slot);

/// Returns `{seen}:replies:1` for `seen` and i = 1. Two hashes in turn hold the last reply to each
/// client.
[[nodiscard]] std::string replies_key(std::string_view name, unsigned i);

/// Returns the keys of a filter: its parameters, the strings of its generations in the order of the
/// slots, and its two hashes of replies. All keys have the same hash tag.
[[nodiscard]] std::vector<std::string> rotating_keys(std::string_view name,
                                                     std::uint64_t generations);

}  // namespace bloometry
