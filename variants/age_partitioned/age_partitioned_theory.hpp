#pragma once

#include <optional>
#include <string_view>

#include "core/theory/theory.hpp"
#include "variants/age_partitioned/age_partitioned_filter.hpp"

namespace bloometry {

/// Theory of the age-partitioned filter. The rate, the spread of the rate between filters and the
/// law of the fill are exact for any number of insert calls of distinct keys without ticks.
struct AgePartitionedTheory {
  static constexpr std::string_view kWhyNotClaimable =
      "its rate depends on the numbers of keys in its generations, which a claim does not state";

  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static PhaseRates phase_rates(const FilterSpec& spec, ProbeModel model);
  static WorstPhase worst_phase(const FilterSpec& spec, ProbeModel model);
};

/// All instruction sets for which a source may be compiled share the functions of
/// AgePartitionedTheory (core/isa/compiled_isa.hpp).
template <>
struct Theory<AgePartitionedFilter> : AgePartitionedTheory {};

static_assert(HasTheory<AgePartitionedFilter> && HasPhaseRates<AgePartitionedFilter>);

}  // namespace bloometry
