#include "experiments/workload/key_hash.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <fmt/core.h>
#include <type_traits>

#include "core/error.hpp"
#include "core/study_hash/all_hashers.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

template <Hasher H>
void hash_all(std::uint64_t seed, std::span<const KeyView> keys, std::span<Digest> digests) {
  assert(keys.size() == digests.size());
  const H hasher = hasher_of_seed<H>(seed);
  for (std::size_t i = 0; i < keys.size(); ++i) digests[i] = hasher(keys[i]);
}

template <class... Hs>
constexpr std::array<KeyHash, sizeof...(Hs)> key_hashes(std::type_identity<HasherList<Hs...>>) {
  return {KeyHash{Hs::kName, Hs::kIsSeeded, Hs::kIsWeak, kHashBits<Hs>, &hash_all<Hs>}...};
}

constexpr std::array kHashes = key_hashes(std::type_identity<AllHashers>{});

}  // namespace

std::span<const KeyHash> all_key_hashes() {
  return kHashes;
}

bool is_weak_hash(std::string_view name) {
  return std::any_of(kHashes.begin(), kHashes.end(),
                     [&](const KeyHash& hash) { return hash.is_weak && hash.name == name; });
}

const KeyHash& find_key_hash(std::string_view name) {
  for (const KeyHash& hash : kHashes) {
    if (hash.name == name) return hash;
  }
  throw ConfigError(
      "hash", fmt::format("must be one of {}, got '{}'", joined(kHashes, &KeyHash::name), name));
}

}  // namespace bloometry
