// Must not compile: Theory<F> states neither the law of claims nor why it does not have one.
// g++: error: static assertion failed: Theory<F> needs the law by which `verify --claim` judges
// clang++: error: static_assert failed .* "Theory<F> needs the law by which `verify --claim`

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/engine/cell_filter.hpp"
#include "core/rates/sizing.hpp"
#include "core/theory/theory.hpp"

namespace bloometry {

struct PlantedDesign {
  static constexpr std::string_view kName = "planted";
  static constexpr VariantDescription kDescription = {.summary = "m bits, one per key",
                                                      .paper = "folklore",
                                                      .rate_given_state = "X/m, X set bits",
                                                      .probe_passes = ProbePasses::kIfNonzero};
  static constexpr Traits kTraits = {};
  using Cells = Bits;

  static Geometry geometry(const FilterSpec& spec) { return bloom_geometry(spec, 1); }

  static bool insert(auto& bits, auto&& positions) noexcept {
    bool changed = false;
    for (const std::uint64_t i : positions) changed |= bits.set(i);
    return changed;
  }

  static bool passes(const auto& bits, std::uint64_t i) noexcept { return bits.test(i); }

  static double rate(ProbeModel, const auto& bits, const FilterState& counts, unsigned) noexcept {
    return static_cast<double>(counts.num_ones) / static_cast<double>(bits.size());
  }
};

using PlantedFilter = CellFilter<PlantedDesign>;

template <>
struct Theory<PlantedFilter> {
  static Prediction predict(const FilterSpec&, ProbeModel, std::uint64_t) { return {}; }

  static double expected_rate(const FilterSpec&, ProbeModel, std::uint64_t) { return 0; }

  static std::optional<theory::FillLaw> fill_law(const FilterSpec&, ProbeModel, std::uint64_t) {
    return std::nullopt;
  }
};

static_assert(HasTheory<PlantedFilter> && states_claim_law<PlantedFilter>());

}  // namespace bloometry

int main() {}
