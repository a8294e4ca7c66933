#include "variants/blocked_counting/blocked_counting_theory.hpp"

#include "core/theory/block_mean.hpp"
#include "variants/blocked/blocked_rates.hpp"

namespace bloometry {

Prediction Theory<BlockedCountingFilter>::predict(const FilterSpec& spec, ProbeModel model,
                                                  std::uint64_t num_keys) {
  return theory::blocked_prediction(model, num_keys, BlockedCountingFilter::geometry(spec));
}

double Theory<BlockedCountingFilter>::expected_rate(const FilterSpec& spec, ProbeModel model,
                                                    std::uint64_t num_keys) {
  return theory::blocked_rate(model, num_keys, BlockedCountingFilter::geometry(spec));
}

std::optional<theory::FillLaw> Theory<BlockedCountingFilter>::fill_law(const FilterSpec& spec,
                                                                       ProbeModel model,
                                                                       std::uint64_t num_keys) {
  return theory::block_fill_law(model, num_keys, BlockedCountingFilter::geometry(spec));
}

theory::RateRange Theory<BlockedCountingFilter>::rate_range_given_counts(
    const FilterSpec& spec, ProbeModel model, const FilterState& counts) {
  return theory::block_rate_range(model, counts.num_ones, BlockedCountingFilter::geometry(spec));
}

}  // namespace bloometry
