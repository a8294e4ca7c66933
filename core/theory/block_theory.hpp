#pragma once

#include <cstdint>
#include <optional>

#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/fill_law.hpp"

namespace bloometry {

/// The common theory of all filters of blocks: the number of non-zero cells, and the resulting
/// bounds of the rate (theory 6). The law of the fill is available only if it is close to normal. A
/// law close to normal requires 10^4 expected zeros and 10^4 expected probes on cells already hit.
/// Theory<F> of a filter of blocks derives from BlockTheory<F>.
template <class F>
struct BlockTheory {
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys) {
    return theory::block_fill_law(model, num_keys, F::geometry(spec));
  }

  static theory::RateRange rate_range_given_counts(const FilterSpec& spec, ProbeModel model,
                                                   const FilterState& counts) {
    return theory::block_rate_range(model, counts.num_ones, F::geometry(spec));
  }
};

}  // namespace bloometry
