#pragma once

#include <cstdint>
#include <span>

#include "core/contract/filter_state.hpp"
#include "core/engine/cells.hpp"
#include "core/engine/design.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry::engine {

template <class Design>
consteval void check_erase() {
  using Positions = std::span<const std::uint64_t>;
  using Store = typename Design::Cells::template Store<OwnedMemory>;
  if constexpr (DrawsWords<Design>) {
    static_assert(
        requires(Design & design, Store & cells, Positions positions, typename Design::Words words,
                 std::uint64_t & num_skipped) {
          bool(design.erase(cells, positions, words, num_skipped));
        },
        "a design that promises erase needs it: bool erase(auto& cells, auto&& positions, Words "
        "words, std::uint64_t& num_skipped)");
  } else {
    static_assert(
        requires(Design & design, Store & cells, Positions positions, std::uint64_t & num_skipped) {
          bool(design.erase(cells, positions, num_skipped));
        },
        "a design that promises erase needs it: bool erase(auto& cells, auto&& positions, "
        "std::uint64_t& num_skipped)");
  }
}

/// Checks that a design for CellFilter has the required members.
template <class Design>
consteval bool is_cell_design() {
  check_settings<Design>();
  check_cells<Design>();
  static_assert(!Design::kDescription.sized_by_blocks,
                "a design of CellFilter does not have blocks: leave .sized_by_blocks out of "
                "kDescription");
  using Positions = std::span<const std::uint64_t>;
  using Store = typename Design::Cells::template Store<OwnedMemory>;
  if constexpr (DrawsWords<Design>) {
    using Words = typename Design::Words;
    static_assert(
        requires(Design & design, Store & cells, Positions positions, Words words) {
          bool(design.insert(cells, positions, words));
        },
        "a design needs insert, which updates the cells of a key and says whether it was certainly "
        "new: bool insert(auto& cells, auto&& positions, Words words)");
    static_assert(
        requires(const Design& design, const Store& cells, std::uint64_t i, Words words) {
          bool(design.passes(cells, i, words));
        },
        "a design needs passes, the test of one probe: "
        "bool passes(const auto& cells, std::uint64_t i, Words& words)");
  } else {
    static_assert(
        requires(Design & design, Store & cells, Positions positions) {
          bool(design.insert(cells, positions));
        },
        "a design needs insert, which updates the cells of a key and says whether it was certainly "
        "new: static bool insert(auto& cells, auto&& positions)");
    static_assert(
        requires(const Design& design, const Store& cells, std::uint64_t i) {
          bool(design.passes(cells, i));
        },
        "a design needs passes, the test of one probe: "
        "static bool passes(const auto& cells, std::uint64_t i)");
  }
  if constexpr (Design::kTraits.erase) check_erase<Design>();
  static_assert(!(PlacesWords<Design> && Design::kTraits.distinct_positions),
                "a design that places words cannot take distinct positions: the engine draws those "
                "from the scheme itself");
  static_assert(
      requires(const Design& design, const Store& cells, FilterState& counts) {
        double(design.rate(ProbeModel::kWithReplacement, cells, counts, 1U));
      },
      "a design needs rate, that of an absent key given the cells: static double rate(ProbeModel "
      "model, const auto& cells, const FilterState& counts, unsigned num_hashes)");
  return true;
}

}  // namespace bloometry::engine
