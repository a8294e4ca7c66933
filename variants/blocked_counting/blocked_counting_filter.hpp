#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/block/block_operations.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/block_filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/nibble_counters.hpp"
#include "variants/blocked/blocked_sizing.hpp"

namespace bloometry {

/// Blocked counting filter, with 4-bit counters instead of bits. All probes of a key fall in one
/// cache line of 128 counters. Keys can be erased, and each operation causes at most one cache
/// miss.
///
/// Source: the blocks of Putze, Sanders, Singler (2007) with the counters of Fan, Cao, Almeida,
/// Broder (2000). Semantics: theory 3.1. Rates: theory 6.1 with B = 128.
/// Layout: as in core/block/block_layout.hpp, with cells of 4 bits. Block b consists of the words
/// 8b to 8b + 7, which are one cache line. Cell f of block b is counter 128 b + f. An insert adds 1
/// to the counter at each distinct position of the key's probes, so two probes at one position
/// count once. A counter of 15 means "15 or more" and never decreases.
/// Rate given the state: the rate of the blocked filter, with non-zero counters instead of set
/// bits.
/// Cost: every operation is O(num_hashes), accesses eight words of one cache line and does not
/// allocate.
struct BlockedCountingDesign {
  static constexpr std::string_view kName = "blocked_counting";
  static constexpr unsigned kBlockCounters = 128;
  static constexpr VariantDescription kDescription = {
      .summary =
          "4-bit counters, with all counters of a key in one cache line: erase with one memory "
          "access",
      .paper = "Putze, Sanders, Singler 2007; Fan, Cao, Almeida, Broder 2000",
      .rate_given_state =
          "mean over blocks of (x_b/B)^k, x_b non-zero counters of B = 128; "
          "C(x_b,k)/C(B,k) for distinct probes",
      .probe_passes = ProbePasses::kIfNonzero,
      .sized_by_counters = true,
      .sized_by_blocks = true,
      .max_num_hashes = kMaxBlockHashes};
  static constexpr Traits kTraits = {.erase = true, .merge = true, .estimate = true};
  using SupportedProbes = BlockProbes;
  using KernelProbes = BitFieldProbes;
  using Cells = Nibbles;

  static Geometry geometry(const FilterSpec& spec) {
    return blocked_geometry(spec, kBlockCounters, Cells::kCellBits);
  }

  static Geometry checked(Geometry geometry) {
    require_whole_blocks(geometry, kBlockCounters);
    geometry.block_cells = kBlockCounters;
    geometry.cell_bits = Cells::kCellBits;
    return geometry;
  }

  static CountingOperations kernels(const Geometry& geometry) noexcept {
    return CountingOperations(geometry.num_hashes);
  }

  /// Adds 1 to the counter at each distinct position of the key, up to 15. Returns whether at least
  /// one counter of the key was 0.
  static bool insert(const auto& block, auto&& positions) noexcept {
    const auto selected = block.select(positions);
    std::uint64_t was_zero = 0;
    for (std::size_t w = 0; w < selected.size(); ++w) {
      was_zero |= selected[w] & ~nibbles::nonzero(block.word(w));
      block.word(w) += selected[w] & ~nibbles::saturated(block.word(w));
    }
    return was_zero != 0;
  }

  static bool passes(const auto& block, std::uint64_t f) noexcept { return block.test(f); }

  /// Subtracts 1 from the counter at each distinct position of the key and returns true. If a
  /// counter of the key is 0, the function does not change the filter and returns false.
  static bool erase(const auto& block, auto&& positions, std::uint64_t& num_skipped) noexcept {
    const auto selected = block.select(positions);
    std::uint64_t is_zero = 0;
    for (std::size_t w = 0; w < selected.size(); ++w) {
      is_zero |= selected[w] & ~nibbles::nonzero(block.word(w));
    }
    if (is_zero != 0) return false;
    for (std::size_t w = 0; w < selected.size(); ++w) {
      const std::uint64_t stuck = selected[w] & nibbles::saturated(block.word(w));
      num_skipped += nibbles::count(stuck);
      block.word(w) -= selected[w] & ~stuck;
    }
    return true;
  }

  static double rate(ProbeModel model, const auto& blocks, const FilterState& /*counts*/,
                     unsigned num_hashes) noexcept {
    return rate_given_blocks(model, blocks.num_by_fill(), blocks.size(), num_hashes);
  }
};

template <ProbePolicy Probes = BitFieldProbes, class Memory = OwnedMemory>
using BasicBlockedCountingFilter = BlockFilter<BlockedCountingDesign, Probes, Memory>;

using BlockedCountingFilter = BasicBlockedCountingFilter<>;

}  // namespace bloometry
