#include "experiments/workload/key_hash.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <string>

#include "core/error.hpp"
#include "core/hash/xxh3_hasher.hpp"

namespace bloometry {
namespace {

template <Hasher H>
void hash_all(std::uint64_t seed, std::span<const KeyView> keys, std::span<Digest> digests) {
  assert(keys.size() == digests.size());
  const H hasher(seed);
  for (std::size_t i = 0; i < keys.size(); ++i) digests[i] = hasher(keys[i]);
}

template <Hasher H>
constexpr KeyHash key_hash() {
  return {H::kName, &hash_all<H>};
}

constexpr std::array kHashes = {key_hash<Xxh3Hasher>()};

}  // namespace

std::span<const KeyHash> all_key_hashes() {
  return kHashes;
}

const KeyHash& find_key_hash(std::string_view name) {
  std::string names;
  for (const KeyHash& hash : kHashes) {
    if (hash.name == name) return hash;
    names.append(names.empty() ? "" : ", ").append(hash.name);
  }
  throw ConfigError("hash must be one of " + names + ", got " + std::string(name));
}

}  // namespace bloometry
