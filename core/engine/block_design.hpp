#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <tuple>

#include "core/contract/filter_state.hpp"
#include "core/engine/block_view.hpp"
#include "core/engine/cells.hpp"
#include "core/engine/design.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/store/memory.hpp"

namespace bloometry::engine {

/// A design that has vector kernels for one scheme and for memory that only one thread writes.
template <class Design>
concept HasKernels = requires(const Geometry& geometry) {
  typename Design::KernelProbes;
  Design::kernels(geometry);
};

template <class Design, class Probes>
inline constexpr bool kHasKernelsFor = [] {
  if constexpr (HasKernels<Design>) return std::same_as<Probes, typename Design::KernelProbes>;
  return false;
}();

/// Whether a design has kernels for its only scheme. Such a design does not need hooks for a single
/// key.
template <class Design>
inline constexpr bool kIsAllKernels = std::tuple_size_v<SupportedProbesOf<Design>> == 1 &&
                                      kHasKernelsFor<Design, DefaultProbesOf<Design>>;

template <class Design>
consteval void check_block_hooks() {
  using Positions = std::span<const std::uint64_t>;
  using Block = BlockView<Design::Cells::kCellBits, PlainAccess, std::uint64_t>;
  static_assert(
      requires(const Block& block, Positions positions) { bool(Design::insert(block, positions)); },
      "a design needs insert, which updates the cells of a key in its block and says whether it "
      "was "
      "certainly new: static bool insert(const auto& block, auto&& positions)");
  static_assert(
      requires(const Block& block, std::uint64_t f) { bool(Design::passes(block, f)); },
      "a design needs passes, the test of one probe: "
      "static bool passes(const auto& block, std::uint64_t f)");
  if constexpr (Design::kTraits.erase) {
    static_assert(
        requires(const Block& block, Positions positions, std::uint64_t& num_skipped) {
          bool(Design::erase(block, positions, num_skipped));
        },
        "a design that promises erase needs it: static bool erase(const auto& block, auto&& "
        "positions, std::uint64_t& num_skipped)");
  }
}

/// Checks that a design for BlockFilter has the required members.
template <class Design>
consteval bool is_block_design() {
  check_settings<Design>();
  check_cells<Design>();
  static_assert(Design::kDescription.sized_by_blocks,
                "a design of BlockFilter needs .sized_by_blocks = true in kDescription, because "
                "configs and tests of the fill depend on it");
  if constexpr (!kIsAllKernels<Design>) check_block_hooks<Design>();
  using Blocks = BlocksView<Design::Cells::kCellBits, PlainAccess>;
  static_assert(
      requires(const Blocks& blocks, FilterState& counts) {
        double(Design::rate(ProbeModel::kWithReplacement, blocks, counts, 1U));
      },
      "a design needs rate, that of an absent key given the blocks: static double rate(ProbeModel "
      "model, const auto& blocks, const FilterState& counts, unsigned num_hashes)");
  return true;
}

}  // namespace bloometry::engine
