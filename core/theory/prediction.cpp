#include "core/theory/prediction.hpp"

#include <cmath>

#include "core/theory/fill_moments.hpp"
#include "core/theory/rate_variance.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {
namespace {

/// Returns second_order_rate, or std::nullopt if the rate exceeds 1. The rate is the sum of the
/// first two terms of a series. For a few keys in a few cells, this sum may exceed 1.
std::optional<double> second_order_if_rate(std::uint64_t n, std::uint64_t m, unsigned k) {
  const double rate = second_order_rate(n, m, k);
  if (rate > 1.0) return std::nullopt;
  return rate;
}

}  // namespace

Prediction bit_prediction(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  Prediction prediction{
      .exact = exact_rate(model, n, m, k),
      .approximations = {{"classic", classic_rate(n, m, k)}},
      .expected_fill_ratio = fill_moments(model, n, m, k).mean / static_cast<double>(m),
      .rate_stddev = std::sqrt(rate_variance(model, n, m, k))};
  auto& approximations = prediction.approximations;
  if (model != ProbeModel::kPartitioned) approximations.push_back({"semi", semi_rate(n, m, k)});
  if (model == ProbeModel::kWithReplacement) {
    approximations.push_back({"goel_gupta_upper", goel_gupta_upper_rate(n, m, k)});
    approximations.push_back({"second_order", second_order_if_rate(n, m, k)});
  }
  return prediction;
}

}  // namespace bloometry::theory
