#pragma once

#include <cstdint>

#include "core/theory/block_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/blocked/blocked_rates.hpp"

namespace bloometry {

/// Theory of a filter of blocks, in model W or D. In a filter of blocks, a probe passes if and only
/// if some key hit its cell. The rate is the mean of the exact in-block rate over the binomial
/// distribution of the number of keys in a block (theory 6.1).
template <class F>
struct BlockedTheory : BlockTheory<F> {
  static_assert(F::kDescription.passes_nonzero_cells(),
                "BlockedTheory<F> is the theory of filters whose probes pass if and only if their "
                "cell is not zero, but kDescription.probe_passes of F states another rule");

  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys) {
    return theory::blocked_prediction(model, num_keys, F::geometry(spec));
  }

  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys) {
    return theory::blocked_rate(model, num_keys, F::geometry(spec));
  }

  static theory::ClaimLaw claim_law(ProbeModel model, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& params) {
    return theory::block_claim_law(
        model, num_keys, geometry, claim_rate(model, num_keys, geometry, params),
        theory::blocked_prediction(model, num_keys, geometry).rate_stddev.value());
  }

  static double claim_rate(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                           const Params& /*params*/) {
    return theory::blocked_rate(model, num_keys, geometry);
  }
};

template <>
struct Theory<BlockedFilter> : BlockedTheory<BlockedFilter> {};

static_assert(HasTheory<BlockedFilter> && HasRateRangeGivenCounts<BlockedFilter>);

}  // namespace bloometry
