#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/contract/variant_description.hpp"
#include "core/engine/cell_filter.hpp"
#include "core/isa/isa.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/remix.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/rates/sizing.hpp"
#include "variants/standard/remix_insert.hpp"

namespace bloometry {

/// Standard Bloom filter, with m bits and k probes that may fall on any bit. The standard filter
/// needs the least memory of the classic designs and cannot erase keys. The standard filter is the
/// reference with which the other variants are compared.
///
/// Source: Bloom (1970), "Space/time trade-offs in hash coding with allowable errors". The probes
/// of the paper are distinct (scheme "distinct", model D). With all other schemes, two probes of a
/// key may be equal, as in almost every library (model W).
/// Layout: bit i is bit i mod 64 of word i / 64.
/// Rate given X set bits: the rate is (X/m)^k in model W, and C(X,k) / C(m,k) in model D.
/// Cost: insert and contains are O(num_hashes) and do not allocate.
struct StandardDesign {
  static constexpr std::string_view kName = "standard";
  static constexpr VariantDescription kDescription = {
      .summary = "m bits, k probes anywhere; the least memory of the classic designs; cannot erase",
      .paper = "Bloom 1970",
      .rate_given_state = "(X/m)^k, X set bits; C(X,k)/C(m,k) for distinct probes",
      .probe_passes = ProbePasses::kIfNonzero,
      .has_partitioned_theory = true};
  static constexpr Traits kTraits = {
      .merge = true, .intersect = true, .fold = true, .estimate = true};
  using SupportedProbes = AllProbes;
  using Cells = Bits;

  static Geometry geometry(const FilterSpec& spec) { return bloom_geometry(spec, 1); }

  /// Returns the function with which batches insert, if the scheme is remix.
  template <class Probes>
  requires std::same_as<Probes, RemixProbes>

  static RemixInsert chunk_insert(std::uint64_t num_bits, unsigned num_hashes) noexcept {
    return remix_insert(active_isa(), num_bits, num_hashes);
  }

  /// Sets the k bits of the key. Returns whether at least one bit changed. If one of the first
  /// three bits changes, the key is new, and the function sets the remaining bits without a test,
  /// which is faster. At half fill, the first three bits of 1 in 8 new keys are already set.
  static bool insert(auto& bits, auto&& positions) noexcept {
    auto next = positions.begin();
    const auto end = positions.end();
    bool changed = false;
    for (int i = 0; i < 3 && next != end; ++i, ++next) changed |= bits.set(*next);
    if (changed) {
      for (; next != end; ++next) bits.set(*next);
    } else {
      for (; next != end; ++next) changed |= bits.set(*next);
    }
    return changed;
  }

  static bool passes(const auto& bits, std::uint64_t i) noexcept { return bits.test(i); }

  static double rate(ProbeModel model, const auto& bits, const FilterState& counts,
                     unsigned num_hashes) noexcept {
    return rate_given_ones(model, counts.num_ones, bits.size(), num_hashes);
  }
};

template <ProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
using BasicStandardFilter = CellFilter<StandardDesign, Probes, Memory>;

using StandardFilter = BasicStandardFilter<>;
static_assert(StandardFilter::kUpdateKeys <= kMostRemixKeys);

/// Standard filter that any number of threads may fill and query at the same time (README,
/// "Threads"). The functions insert, contains, num_set_probes, state and estimate_count may run
/// concurrently. A thread that calls any other function needs exclusive access.
///
/// The bits are the same as if one thread had inserted the keys. If insert returns true, other
/// inserts of the key were not complete when this insert began. If several threads insert a new key
/// at the same time, insert returns true in at least one of them. The function contains returns
/// true for a key whose insert happened before the query. The caller must order insert and query by
/// a join, a latch, or a flag stored with release and loaded with acquire. Without such an order,
/// contains may return false for a while, but never after it has returned true in the same thread.
using AtomicStandardFilter = BasicStandardFilter<RemixProbes, Atomic<OwnedMemory>>;

}  // namespace bloometry
