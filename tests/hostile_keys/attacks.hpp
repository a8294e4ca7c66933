#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/any_filter/keyed.hpp"
#include "core/block/block_layout.hpp"
#include "core/probe/bit_fields.hpp"
#include "core/probe/remix.hpp"
#include "tests/hostile_keys/chosen_keys.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/standard/standard_filter.hpp"

/// Attacks with chosen keys on a filter with 10 cells per key and 7 probes.
namespace bloometry::test {

inline constexpr unsigned kNumHashes = 7;

inline FilterSpec attacked_spec(std::uint64_t capacity) {
  return {.num_bits = 10 * capacity, .num_hashes = kNumHashes, .max_fill = 0.55};
}

struct Filling {
  FilterState at_capacity;
  double half_fill = 0;  ///< inserts / capacity when half of the bits are set
  double half_rate = 0;  ///< inserts / capacity when the rate reaches 1/2
};

/// Fills a filter until half of the absent keys test positive. Each insert adds the candidate with
/// the most new bits among num_tried candidates. The attacker counts new bits in a copy of the
/// filter.
template <Hasher H>
Filling fill(const Sides<H>& sides, std::uint64_t capacity, unsigned num_tried) {
  StandardFilter attackers(attacked_spec(capacity));
  StandardFilter filter(attacked_spec(capacity));
  Candidates<H> candidates(sides);
  Filling result;
  for (std::uint64_t num_inserts = 1; result.half_rate == 0; ++num_inserts) {
    Digest best = candidates.next();
    Digest best_stored = candidates.as_stored();
    for (unsigned i = 1; i < num_tried; ++i) {
      const Digest digest = candidates.next();
      if (attackers.num_set_probes(digest) >= attackers.num_set_probes(best)) continue;
      best = digest;
      best_stored = candidates.as_stored();
    }
    attackers.insert(best);
    filter.insert(best_stored);
    if (num_inserts == capacity) result.at_capacity = filter.state();
    if (num_inserts % (capacity / 100) != 0) continue;
    const FilterState state = filter.state();
    const double per_key = static_cast<double>(num_inserts) / static_cast<double>(capacity);
    if (result.half_fill == 0 && 2 * state.num_ones >= state.num_bits) result.half_fill = per_key;
    if (state.conditional_false_positive_rate >= 0.5) result.half_rate = per_key;
  }
  return result;
}

/// Fills the blocks of a blocked filter one after another. The total number of inserted keys equals
/// the filter's capacity.
template <Hasher H>
FilterState fill_blocks(const Sides<H>& sides, std::uint64_t capacity) {
  BlockedFilter attackers(attacked_spec(capacity));
  BlockedFilter filter(attacked_spec(capacity));
  const BlockLayout<1> layout(filter.num_blocks(), filter.block_bits());
  const auto block_of = [&](const Digest& digest) {
    return layout.first_word(block_word<BitFieldProbes>(digest));
  };
  Candidates<H> candidates(sides);
  Digest target = candidates.next();
  for (std::uint64_t num_inserts = 0; num_inserts < capacity;) {
    while (attackers.num_ones_in_block(target) == filter.block_bits()) target = candidates.next();
    const Digest digest = candidates.next();
    if (block_of(digest) != block_of(target) || !attackers.insert(digest)) continue;
    filter.insert(candidates.as_stored());
    ++num_inserts;
  }
  return filter.state();
}

struct Hunt {
  std::uint64_t num_calls = 0;   ///< number of inserts or erases
  std::uint64_t num_hashes = 0;  ///< number of digests that the attacker computed
  bool has_succeeded = false;
};

inline std::set<std::uint64_t> positions_of(const Digest& digest, std::uint64_t num_cells) {
  std::set<std::uint64_t> positions;
  RemixProbes probes(digest, num_cells);
  for (unsigned i = 0; i < kNumHashes; ++i) positions.insert(probes.next(num_cells));
  return positions;
}

/// Inserts keys into an empty filter until the filter contains the victim, which is never inserted.
/// Each inserted key shares a bit with the victim.
template <Hasher H>
Hunt add_victim(const Sides<H>& sides, std::uint64_t capacity, KeyView victim) {
  StandardFilter filter(attacked_spec(capacity));
  Candidates<H> candidates(sides);
  std::set<std::uint64_t> missing = positions_of(sides.attacker(victim), filter.num_bits());
  Hunt hunt;
  while (!missing.empty()) {
    std::size_t num_covered = 0;
    for (const std::uint64_t bit : positions_of(candidates.next(), filter.num_bits())) {
      num_covered += missing.erase(bit);
    }
    if (num_covered == 0) continue;
    filter.insert(candidates.as_stored());
    ++hunt.num_calls;
  }
  hunt.num_hashes = candidates.num_hashed();
  hunt.has_succeeded = filter.contains(sides.filter(victim));
  return hunt;
}

/// Erases keys from a counting filter at capacity. Stops when the filter does not contain the
/// victim, or after max_calls erases. The erased keys were not inserted but share a counter with
/// the victim. The filter refuses to erase keys that test negative. An attacker without the hash
/// erases arbitrary keys.
template <Hasher H>
Hunt erase_victim(const Sides<H>& sides, std::uint64_t capacity, KeyView victim,
                  std::uint64_t max_calls) {
  CountingFilter filter({.num_counters = 10 * capacity, .num_hashes = kNumHashes});
  for (std::uint64_t key = 1; key < capacity; ++key) {
    filter.insert(sides.filter(IntegerKey(~key).view()));
  }
  filter.insert(sides.filter(victim));
  // A filter that contains only the victim, with the attacker's digest.
  StandardFilter victims(attacked_spec(capacity));
  victims.insert(sides.attacker(victim));
  Candidates<H> candidates(sides);
  Hunt hunt;
  while (hunt.num_calls < max_calls && filter.contains(sides.filter(victim))) {
    const Digest digest = candidates.next();
    if (sides.attacker == sides.filter && victims.num_set_probes(digest) == 0) continue;
    filter.erase(candidates.as_stored());
    ++hunt.num_calls;
  }
  hunt.num_hashes = candidates.num_hashed();
  hunt.has_succeeded = !filter.contains(sides.filter(victim));
  return hunt;
}

/// Returns how many of num_keys twins a filter with rate 1e-9 contains after the insert of another
/// twin. All twins have the same digest.
template <Hasher H, class Twins>
std::uint64_t num_twins_contained(const H& hasher, const Twins& twins, std::uint32_t num_keys) {
  Keyed<StandardFilter, H> seen({.capacity = 1000, .target_false_positive_rate = 1e-9}, hasher);
  seen.insert(twins(0));
  std::uint64_t num_contained = 0;
  for (std::uint32_t i = 1; i <= num_keys; ++i) num_contained += seen.contains(twins(i)) ? 1U : 0U;
  return num_contained;
}

struct QueryCounts {
  std::uint64_t num_queries = 0;
  std::uint64_t num_positive = 0;
  double rate = 0;  ///< rate of the filter given its state
};

/// Queries absent keys in a filter at capacity. The result shows how many queries an attacker
/// without the hash needs per false positive.
template <Hasher H>
QueryCounts query(const H& hasher, std::uint64_t capacity, std::uint64_t num_queries) {
  Keyed<StandardFilter, H> seen(attacked_spec(capacity), hasher);
  for (std::uint64_t key = 0; key < capacity; ++key) seen.insert(key);
  QueryCounts counts{.num_queries = num_queries};
  for (std::uint64_t i = 0; i < num_queries; ++i)
    counts.num_positive += seen.contains(~i) ? 1U : 0U;
  counts.rate = seen.filter().state().conditional_false_positive_rate;
  return counts;
}

}  // namespace bloometry::test
