#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// A hash family chosen at run time. One call hashes a block, so the loop over keys is inlined.
struct KeyHash {
  std::string_view name;
  bool is_seeded;  ///< false: all trials share the digests of equal keys
  bool is_weak;    ///< for study only: theory is never tested with it (core/hash/README.md)
  /// Sets digests[i] to the hash of keys[i] under seed; both spans have the same length.
  void (*hash_all)(std::uint64_t seed, std::span<const KeyView> keys, std::span<Digest> digests);
};

/// Returns every hash family that a config may name: the default first, the weak ones last.
[[nodiscard]] std::span<const KeyHash> all_key_hashes();

/// Returns the hash family of that name. @throws ConfigError listing the valid names.
[[nodiscard]] const KeyHash& find_key_hash(std::string_view name);

}  // namespace bloometry
