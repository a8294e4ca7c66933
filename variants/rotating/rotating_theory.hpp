#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/theory/theory.hpp"
#include "variants/rotating/rotating_filter.hpp"

namespace bloometry {

/// Theory of the rotating filter after num_keys insert calls of distinct keys without ticks. The
/// numbers of keys in the generations follow from num_keys. The generations have separate keys and
/// probes, so their rates F_i are independent, and E[F] = 1 - prod(1 - E[F_i]) is exact (theory
/// 7b). If only ticks rotate, all keys are in the newest generation.
struct RotatingTheory {
  static constexpr std::string_view kWhyNotClaimable =
      "its rate depends on the numbers of keys in its generations, which a claim does not state";

  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  /// Returns the law of the total number of set bits: exact for standard generations in model W,
  /// and otherwise the normal law, or std::nullopt if the law is not close to normal.
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static PhaseRates phase_rates(const FilterSpec& spec, ProbeModel model);
  static WorstPhase worst_phase(const FilterSpec& spec, ProbeModel model);
};

/// All instruction sets for which a source may be compiled share the functions of RotatingTheory
/// (core/isa/compiled_isa.hpp).
template <>
struct Theory<RotatingFilter> : RotatingTheory {};

static_assert(HasTheory<RotatingFilter>);

}  // namespace bloometry
