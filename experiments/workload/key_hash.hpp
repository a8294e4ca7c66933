#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/hash/key_view.hpp"

namespace bloometry {

/// A hash family that is selected at run time. One call hashes a block of keys, so that the loop
/// over the keys is inlined.
struct KeyHash {
  std::string_view name;
  bool is_seeded;   ///< if false, a key has the same digest in all trials
  bool is_weak;     ///< if true, rows with this hash are never tested (core/hash/README.md)
  double num_bits;  ///< bits of a digest (kHashBits)
  /// Sets digests[i] to the hash of keys[i] with the seed. The spans `keys` and `digests` have the
  /// same length.
  void (*hash_all)(std::uint64_t seed, std::span<const KeyView> keys, std::span<Digest> digests);
};

/// Returns every hash family that a config may name. The default hash is first, and the weak hashes
/// are last.
[[nodiscard]] std::span<const KeyHash> all_key_hashes();

/// Returns whether the hash family with this name exists and is weak.
[[nodiscard]] bool is_weak_hash(std::string_view name);

/// Returns the hash family with this name. @throws ConfigError listing the valid names
[[nodiscard]] const KeyHash& find_key_hash(std::string_view name);

}  // namespace bloometry
