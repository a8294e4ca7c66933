#include "tests/round_trip/draw_filter.hpp"

#include <array>
#include <cmath>

#include "core/error.hpp"
#include "tests/differential/configurations.hpp"
#include "variants/scalable/scalable_params.hpp"

namespace bloometry::test {
namespace {

/// Largest filter or first stage in bits.
constexpr std::uint64_t kMostBits = std::uint64_t{1} << 22U;

double draw_rate(Random& random) {
  constexpr std::array<double, 6> kExtremes = {5e-324, 1e-310, 1e-300, 0x1p-128, 0x1p-65, 0.999999};
  if (random.one_in(4)) return random.pick(kExtremes);
  return random.one_in(3) ? random.log_between(1e-60, 0.999) : random.log_between(1e-6, 0.5);
}

FilterSpec draw_growing(const VariantScheme& scheme, Random& random) {
  FilterSpec spec{.target_false_positive_rate = draw_rate(random)};
  draw_params(scheme, spec, random);
  const auto bound = [&](const char* name, double value) {
    if (spec.params.contains(name)) spec.params[name] = value;
  };
  // The stages of half of the filters have equal capacities, so that the filters have many stages.
  spec.params["growth_factor"] =
      random.one_in(2) ? 1.0 : random.log_between(1, random.one_in(4) ? 1e6 : 3);
  spec.capacity = random.one_in(2) ? 1 : random.between(1, 100);
  if (random.one_in(2)) bound("tightening_ratio", random.log_between(0.5, 0.999));
  if (random.one_in(2)) bound("max_capacity", std::floor(random.log_between(1, 5000)));
  // A horizon shortens a first stage of any size. The filter refuses keys past the horizon if the
  // stages there would be too large.
  bound("initial_capacity",
        random.one_in(4) ? 0x1p53 : static_cast<double>(random.between(1, 100)));
  return spec;
}

/// Draws a spec with a target rate, for a variant of a fixed size.
FilterSpec draw_sized(const VariantScheme& scheme, Random& random) {
  FilterSpec spec{.capacity = random.between(1, 500),
                  .target_false_positive_rate = draw_rate(random)};
  draw_params(scheme, spec, random);
  return spec;
}

FilterSpec draw_spec(const VariantScheme& scheme, Random& random) {
  if (scheme.can("grow")) return draw_growing(scheme, random);
  if (random.one_in(3)) return draw_sized(scheme, random);
  const Configuration configuration{
      .name = {}, .scheme = scheme, .make = [&](const FilterSpec& spec, std::uint64_t) {
        static_cast<void>(scheme.make(spec));
        return nullptr;
      }};
  return draw_shape(configuration, 1000, random).spec;
}

}  // namespace

DrawnFilter draw_filter(const VariantScheme& scheme, Random& random) {
  while (true) {
    FilterSpec spec = draw_spec(scheme, random);
    spec.params.insert(scheme.params.begin(), scheme.params.end());
    if (random.one_in(4)) spec.max_fill = random.log_between(0.01, 0.99);
    try {
      if (scheme.geometry(spec).num_bits() > kMostBits) continue;
      static_cast<void>(scheme.make(spec));
      return {spec, static_cast<std::uint64_t>(random.log_between(1, 2000))};
    } catch (const ConfigError&) {
      // The variant rejects this combination.
    }
  }
}

std::optional<std::uint64_t> bits_of_stage(const FilterSpec& spec, std::uint64_t index) {
  try {
    return plan_stage(scalable_settings(spec).plan, static_cast<unsigned>(index)).num_bits();
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace bloometry::test
