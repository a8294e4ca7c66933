#pragma once

#include <cstdint>
#include <optional>

#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/theory/claim_law.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/prediction.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry {

/// Theory of a filter of m cells and k hashes in which a probe passes if and only if some key hit
/// the probed cell. CellTheory has the exact rates of theory 1.3 for each probe model. Theory<F> of
/// a filter of m cells and k hashes derives from CellTheory<F>.
template <class F>
struct CellTheory {
  static_assert(F::kDescription.passes_nonzero_cells(),
                "CellTheory<F> is the theory of filters whose probes pass if and only if their "
                "cell is not zero, but kDescription.probe_passes of F states another rule");

  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys) {
    const Geometry geometry = checked_geometry(spec, model);
    return theory::bit_prediction(model, num_keys, geometry.num_cells, geometry.num_hashes);
  }

  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys) {
    const Geometry geometry = checked_geometry(spec, model);
    return theory::exact_rate(model, num_keys, geometry.num_cells, geometry.num_hashes);
  }

  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys) {
    const Geometry geometry = checked_geometry(spec, model);
    return theory::FillLaw(model, num_keys, geometry.num_cells, geometry.num_hashes);
  }

  /// Returns the rate given the number of non-zero cells. rate_given_counts does not exist for
  /// filters of slices, because slices have separate fills.
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts) requires(F::kModel !=
                                                                      ProbeModel::kPartitioned) {
    const Geometry geometry = checked_geometry(spec, model);
    return rate_given_ones(model, counts.num_ones, geometry.num_cells, geometry.num_hashes);
  }

  static theory::ClaimLaw claim_law(ProbeModel model, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& /*params*/) {
    return theory::cell_claim_law(model, num_keys, geometry);
  }

  static double claim_rate(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                           const Params& /*params*/) {
    return theory::exact_rate(model, num_keys, geometry.num_cells, geometry.num_hashes);
  }

 private:
  static Geometry checked_geometry(const FilterSpec& spec, ProbeModel model) {
    const Geometry geometry = F::geometry(spec);
    require_distinct_fit(model, geometry);
    return geometry;
  }
};

}  // namespace bloometry
