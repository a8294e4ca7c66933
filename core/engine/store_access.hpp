#pragma once

#include "core/engine/filter_core.hpp"

namespace bloometry {

/// Access to the cells and the counts of refused erases and skipped decrements, for code that
/// writes filters to files and restores them. Users of a filter call its bits() or counters()
/// instead.
struct StoreAccess {
  template <class Design, class P, class Memory>
  [[nodiscard]] static auto& cells(FilterCore<Design, P, Memory>& filter) noexcept {
    return filter.cells_;
  }

  template <class Design, class P, class Memory>
  [[nodiscard]] static const auto& cells(const FilterCore<Design, P, Memory>& filter) noexcept {
    return filter.cells_;
  }

  /// Informs the filter that its cells have been written, so that its count of occupied cells is
  /// right.
  template <class F>
  static void after_write(F& filter) noexcept {
    if constexpr (requires { F::kGrows; }) filter.count_occupied();
  }

  template <class Design, class P, class Memory>
  [[nodiscard]] static auto& tally(FilterCore<Design, P, Memory>& filter) noexcept {
    return filter.tally_;
  }

  template <class Design, class P, class Memory>
  [[nodiscard]] static const auto& tally(const FilterCore<Design, P, Memory>& filter) noexcept {
    return filter.tally_;
  }
};

}  // namespace bloometry
