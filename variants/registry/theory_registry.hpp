#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/claim_law.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/phase_rates.hpp"
#include "core/theory/prediction.hpp"
#include "core/theory/refused_inserts_law.hpp"

namespace bloometry {

/// The functions of Theory<F> (core/theory/theory.hpp) of a variant that is chosen at run time.
struct VariantTheory {
  std::string_view name;
  Prediction (*predict)(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  double (*expected_rate)(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  std::optional<theory::FillLaw> (*fill_law)(const FilterSpec& spec, ProbeModel model,
                                             std::uint64_t num_keys);
  /// Null pointer if the counts of a result row do not determine the rate.
  double (*rate_given_counts)(const FilterSpec& spec, ProbeModel model, const FilterState& counts);
  /// Null pointer if the counts of a result row neither determine nor bound the rate.
  theory::RateRange (*rate_range_given_counts)(const FilterSpec& spec, ProbeModel model,
                                               const FilterState& counts);
  /// Null pointer if expected_rate is exact, or if no bound is proven.
  double (*rate_bound)(const FilterSpec& spec, std::uint64_t num_keys);
  /// Null pointer if the filter is not limited, so that it does not refuse inserts.
  theory::RefusedInserts (*refused_inserts)(const FilterSpec& spec, std::uint64_t num_keys);
  /// Null pointer if the filter does not forget.
  PhaseRates (*phase_rates)(const FilterSpec& spec, ProbeModel model);
  /// Null pointer if the filter does not forget.
  WorstPhase (*worst_phase)(const FilterSpec& spec, ProbeModel model);
  /// Null pointer if `verify --claim` does not accept the variant; why_not_claimable then states
  /// the reason.
  theory::ClaimLaw (*claim_law)(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                                const Params& params);
  double (*claim_rate)(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                       const Params& params);
  std::string_view why_not_claimable;
};

/// Returns the theory of the variant with the given name.
/// @throws ConfigError if the variant does not exist. The error message lists the existing
/// variants.
[[nodiscard]] const VariantTheory& find_theory(std::string_view variant);

}  // namespace bloometry
