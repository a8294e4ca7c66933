#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "core/hash/digest.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/workload/file_keys.hpp"
#include "experiments/workload/key_hash.hpp"
#include "experiments/workload/key_patterns.hpp"
#include "experiments/workload/synthetic_keys.hpp"
#include "experiments/workload/zipf_keys.hpp"

namespace bloometry {

/// One of the key distributions.
using KeyDistribution =
    std::variant<RandomKeys, SequentialKeys, DecimalKeys, UrlKeys, PatternKeys, ZipfKeys, FileKeys>;

/// A generator of the digests of a unit's keys, in blocks of any size and in any order. The
/// function fill() writes keys into a small buffer, hashes the keys and discards the keys. Several
/// threads may call fill() concurrently. A DigestGenerator can be copied.
class DigestGenerator {
 public:
  /// Combines the keys with the unit's hash.
  /// @param num_members index at which the queries of a file begin
  /// @throws ConfigError if the hash is unknown
  DigestGenerator(const Unit& unit, KeyDistribution keys, std::uint64_t num_members);

  /// Sets digests[i] to the digest of key number first + i of the role.
  void fill(KeyRole role, std::uint64_t first, std::span<Digest> digests) const;

 private:
  KeyDistribution keys_;
  const KeyHash* hash_;
  std::uint64_t hash_seed_;
  std::uint64_t trial_;
  std::uint64_t num_members_;
};

/// Returns the key distribution of a unit, whose keys must be synthetic.
[[nodiscard]] KeyDistribution synthetic_keys(const Unit& unit);

}  // namespace bloometry
