// Must not compile: the description does not state when a probe passes.
// g++: error: static assertion failed: a design needs kDescription.probe_passes, on which its
// clang++: error: static_assert failed .* "a design needs kDescription.probe_passes, on which its

#include <cstdint>
#include <string_view>

#include "core/engine/cell_filter.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {

struct ForgetfulDesign {
  static constexpr std::string_view kName = "forgetful";
  static constexpr VariantDescription kDescription = {
      .summary = "m bits, one per key", .paper = "folklore", .rate_given_state = "X/m, X set bits"};
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

}  // namespace bloometry

int main() {
  bloometry::CellFilter<bloometry::ForgetfulDesign> filter({.num_bits = 1000});
  filter.insert({1, 2});
}
