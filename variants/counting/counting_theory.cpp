#include "variants/counting/counting_theory.hpp"

#include "core/rates/rate_given_state.hpp"
#include "core/theory/bit_prediction.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry {
namespace {

Geometry checked_geometry(const FilterSpec& spec, ProbeModel model) {
  const Geometry geometry = CountingFilter::geometry(spec);
  require_distinct_fit(model, geometry);
  return geometry;
}

}  // namespace

Prediction Theory<CountingFilter>::predict(const FilterSpec& spec, ProbeModel model,
                                           std::uint64_t num_keys) {
  const Geometry geometry = checked_geometry(spec, model);
  return theory::bit_prediction(model, num_keys, geometry.num_cells, geometry.num_hashes);
}

double Theory<CountingFilter>::expected_rate(const FilterSpec& spec, ProbeModel model,
                                             std::uint64_t num_keys) {
  const Geometry geometry = checked_geometry(spec, model);
  return theory::exact_rate(model, num_keys, geometry.num_cells, geometry.num_hashes);
}

std::optional<theory::FillLaw> Theory<CountingFilter>::fill_law(const FilterSpec& spec,
                                                                ProbeModel model,
                                                                std::uint64_t num_keys) {
  const Geometry geometry = checked_geometry(spec, model);
  return theory::FillLaw(model, num_keys, geometry.num_cells, geometry.num_hashes);
}

double Theory<CountingFilter>::rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                                 const FilterState& counts) {
  const Geometry geometry = checked_geometry(spec, model);
  return rate_given_ones(model, counts.num_ones, geometry.num_cells, geometry.num_hashes);
}

}  // namespace bloometry
