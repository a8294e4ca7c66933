#include "variants/theory_registry.hpp"

#include <array>

#include "core/theory/theory.hpp"
#include "variants/all_variants.hpp"
#include "variants/registry.hpp"

namespace bloometry {
namespace {

template <class F>
constexpr VariantTheory theory_of() {
  static_assert(HasTheory<F>);
  VariantTheory theory{
      F::kName, &Theory<F>::predict, &Theory<F>::expected_rate, &Theory<F>::fill_law, nullptr,
      nullptr};
  if constexpr (HasRateGivenCounts<F>) theory.rate_given_counts = &Theory<F>::rate_given_counts;
  if constexpr (HasRateRangeGivenCounts<F>) {
    theory.rate_range_given_counts = &Theory<F>::rate_range_given_counts;
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
