#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// A hash family selected at run time. One call hashes a block, so that the loop over keys is
/// inlined.
struct KeyHash {
  std::string_view name;
  bool is_seeded;  ///< false: equal keys have the same digests in all trials
  bool is_weak;    ///< for study only; its rows are never tested (core/hash/README.md)
  /// Sets digests[i] to the hash of keys[i] with the seed. Both spans have the same length.
  void (*hash_all)(std::uint64_t seed, std::span<const KeyView> keys, std::span<Digest> digests);
};

/// Returns every hash family that a config may name. The default is first, the weak ones are last.
[[nodiscard]] std::span<const KeyHash> all_key_hashes();

/// Returns the hash family of that name. @throws ConfigError listing the valid names.
[[nodiscard]] const KeyHash& find_key_hash(std::string_view name);

}  // namespace bloometry
