// Must not compile: the theory is that of filters whose probes pass unless their cell is zero.
// g++: error: static assertion failed: CellTheory<F> is the theory of filters whose probes pass if
// clang++: error: static_assert failed .* "CellTheory<F> is the theory of filters whose probes

#include <cstdint>
#include <string_view>

#include "core/engine/cell_filter.hpp"
#include "core/rates/sizing.hpp"
#include "core/theory/cell_theory.hpp"
#include "core/theory/theory.hpp"

namespace bloometry {

struct PlantedDesign {
  static constexpr std::string_view kName = "planted";
  static constexpr VariantDescription kDescription = {.summary = "m bits, one per key",
                                                      .paper = "folklore",
                                                      .rate_given_state = "X/m, X set bits",
                                                      .probe_passes = ProbePasses::kByOwnRule};
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
struct Theory<PlantedFilter> : CellTheory<PlantedFilter> {};

static_assert(HasTheory<PlantedFilter>);

}  // namespace bloometry

int main() {}
