#include "core/statistics/rate_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require_domain.hpp"

namespace bloometry::statistics {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

void require_valid(const RateMixture::Part& part) {
  require_domain(part.rate >= 0.0 && part.rate <= 1.0, "rate of a mixture", "in [0, 1]", part.rate);
  require_domain(part.weight >= 0.0 && std::isfinite(part.weight), "weight of a mixture",
                 "finite and at least 0", part.weight);
}

/// Returns count * log_probability. The result is 0 for a count of 0, even if log_probability is
/// -infinity.
double log_power(double count, double log_probability) {
  return count == 0.0 ? 0.0 : count * log_probability;
}

/// Returns log sum exp(term(i)), without overflow.
template <class Term>
double log_sum_exp(std::size_t size, Term term) {
  double largest = kMinusInfinity;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, term(i));
  if (!std::isfinite(largest)) return largest;
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) sum += std::exp(term(i) - largest);
  return largest + std::log(sum);
}

}  // namespace

RateMixture::RateMixture(const std::vector<Part>& parts) {
  double total = 0.0;
  for (const Part& part : parts) {
    require_valid(part);
    total += part.weight;
    mean_ += part.weight * part.rate;
  }
  require_domain(total > 0.0, "sum of the weights of a mixture", "above 0", total);
  mean_ /= total;
  for (const auto& [rate, weight] : parts) {
    if (weight == 0.0) continue;
    rates_.push_back(rate);
    log_rates_.push_back(std::log(rate));
    log_negatives_.push_back(std::log1p(-rate));
    log_weights_.push_back(std::log(weight / total));
    variance_ += weight / total * (rate - mean_) * (rate - mean_);
  }
}

RateMixture RateMixture::certain(double rate) {
  return RateMixture({{rate, 1.0}});
}

std::vector<RateMixture::Part> RateMixture::parts() const {
  std::vector<Part> parts;
  parts.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) parts.push_back({rates_[i], std::exp(log_weights_[i])});
  return parts;
}

RateMixture RateMixture::scaled(double factor) const {
  std::vector<Part> scaled = parts();
  for (Part& part : scaled) part.rate = std::min(1.0, factor * part.rate);
  return RateMixture(scaled);
}

double RateMixture::log_likelihood(std::uint64_t positives, std::uint64_t negatives) const {
  const auto num_positives = static_cast<double>(positives);
  const auto num_negatives = static_cast<double>(negatives);
  return log_sum_exp(size(), [&](std::size_t i) {
    return log_weights_[i] + log_power(num_positives, log_rates_[i]) +
           log_power(num_negatives, log_negatives_[i]);
  });
}

double RateMixture::log_mgf(double theta, std::uint64_t num_queries) const {
  const double growth = std::expm1(theta);
  const double factor = std::exp(theta);
  const auto queries = static_cast<double>(num_queries);
  // Returns log E[e^(theta * answer)] for one answer. For `growth` near -1, the formula with log1p
  // would be inaccurate at rates near 1.
  const auto log_of_answer = [=](double rate) {
    return growth < -0.5 ? std::log((1.0 - rate) + rate * factor) : std::log1p(rate * growth);
  };
  return log_sum_exp(size(), [&](std::size_t i) {
    return log_weights_[i] + log_power(queries, log_of_answer(rates_[i]));
  });
}

}  // namespace bloometry::statistics
