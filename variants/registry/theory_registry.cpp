#include "variants/registry/theory_registry.hpp"

#include <array>

#include "core/theory/theory.hpp"
#include "variants/registry/all_variants.hpp"
#include "variants/registry/registry.hpp"

// These headers define Theory<F> of every variant in the list.
#include "variants/age_partitioned/age_partitioned_theory.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/blocked_counting/blocked_counting_theory.hpp"
#include "variants/counting/counting_theory.hpp"
#include "variants/cuckoo/cuckoo_theory.hpp"
#include "variants/d_left/d_left_theory.hpp"
#include "variants/lanes/lanes_theory.hpp"
#include "variants/partitioned/partitioned_theory.hpp"
#include "variants/rotating/rotating_theory.hpp"
#include "variants/scalable/scalable_theory.hpp"
#include "variants/split_block/split_block_theory.hpp"
#include "variants/standard/standard_theory.hpp"
#include "variants/variable_increment/variable_increment_theory.hpp"

namespace bloometry {
namespace {

template <class F>
constexpr VariantTheory theory_of() {
  static_assert(HasTheory<F>,
                "include the theory of the variant, which defines Theory<F> with predict, "
                "expected_rate and fill_law (core/theory/theory.hpp)");
  static_assert(states_claim_law<F>());
  static_assert(F::kDescription.is_limited == HasRefusedInserts<F>,
                "a limited filter, and no other, needs the law of its refused inserts: "
                "Theory<F>::refused_inserts as in core/theory/theory.hpp");
  static_assert(ForgettingFilter<F> == HasPhaseRates<F>,
                "a filter that forgets, and no other, needs the rates over the phases of a "
                "generation: Theory<F>::phase_rates and worst_phase as in core/theory/theory.hpp");
  VariantTheory theory{.name = F::kName,
                       .predict = &Theory<F>::predict,
                       .expected_rate = &Theory<F>::expected_rate,
                       .fill_law = &Theory<F>::fill_law,
                       .rate_given_counts = nullptr,
                       .rate_range_given_counts = nullptr,
                       .rate_bound = nullptr,
                       .refused_inserts = nullptr,
                       .phase_rates = nullptr,
                       .worst_phase = nullptr,
                       .claim_law = nullptr,
                       .claim_rate = nullptr,
                       .why_not_claimable = {}};
  if constexpr (HasRateGivenCounts<F>) theory.rate_given_counts = &Theory<F>::rate_given_counts;
  if constexpr (HasRateRangeGivenCounts<F>) {
    theory.rate_range_given_counts = &Theory<F>::rate_range_given_counts;
  }
  if constexpr (HasRateBound<F>) theory.rate_bound = &Theory<F>::rate_bound;
  if constexpr (HasRefusedInserts<F>) theory.refused_inserts = &Theory<F>::refused_inserts;
  if constexpr (HasPhaseRates<F>) {
    theory.phase_rates = &Theory<F>::phase_rates;
    theory.worst_phase = &Theory<F>::worst_phase;
  }
  if constexpr (HasClaimLaw<F>) {
    theory.claim_law = &Theory<F>::claim_law;
    theory.claim_rate = &Theory<F>::claim_rate;
  } else if constexpr (RefusesClaims<F>) {
    theory.why_not_claimable = Theory<F>::kWhyNotClaimable;
  }
  return theory;
}

template <class... Fs>
std::span<const VariantTheory> theories_of(VariantList<Fs...>) {
  static constexpr std::array<VariantTheory, sizeof...(Fs)> kTheories = {theory_of<Fs>()...};
  return kTheories;
}

}  // namespace

const VariantTheory& find_theory(std::string_view variant) {
  const std::string_view name = find_variant(variant).name;
  for (const VariantTheory& theory : theories_of(AllVariants{})) {
    if (theory.name == name) return theory;
  }
  return theories_of(AllVariants{}).front();  // not reached: both registries derive from one list
}

}  // namespace bloometry
