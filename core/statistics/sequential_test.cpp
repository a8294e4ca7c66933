#include "core/statistics/sequential_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace bloometry::statistics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_share(double value, const char* name) {
  if (!(value > 0.0 && value < 1.0)) {
    throw std::domain_error(std::string(name) + " must be in (0, 1)");
  }
}

/// Factors e^(+-s), s from 0.05 in steps of sqrt 2, down to 1/90 and up to 360,000: whatever the
/// true factor beyond 5 % is, one of them is within a fifth of it on the log scale, where half the
/// best evidence per query is lost at most; 31 factors cost log 31 = 3.4 of evidence once, beside
/// the 13.8 of alpha = 1e-6. The large ones let the first hits decide where none was expected.
std::vector<double> factor_grid() {
  std::vector<double> factors;
  for (double s = 0.05; s < 13.0; s *= std::numbers::sqrt2) {
    factors.push_back(std::exp(s));
    if (s < 4.6) factors.push_back(std::exp(-s));
  }
  return factors;
}

/// Rates that a factor pushes to 1 would make a single miss impossible: the most that is asked.
RateMixture deviating(const RateMixture& rates, double factor) {
  constexpr double kLargestRate = 0.999;
  if (!(rates.mean() > 0.0)) return RateMixture::certain(std::min(0.5, factor * 1e-6));
  return rates.scaled(std::min(factor, kLargestRate / rates.mean()));
}

}  // namespace

SequentialTest::SequentialTest(const RateMixture& rates, Settings settings)
    : settings_(settings),
      hypothesis_{rates},
      below_{deviating(rates, 1.0 - settings.deviation)},
      above_{deviating(rates, 1.0 + settings.deviation)} {
  require_share(settings.false_alarm, "false alarm");
  require_share(settings.deviation, "deviation");
  require_share(settings.miss, "miss");
  for (const double factor : factor_grid()) grid_.push_back({deviating(rates, factor)});
}

double SequentialTest::log_likelihood(const Alternative& alternative) const {
  return alternative.finished + alternative.rates.log_likelihood(hits_, misses_);
}

void SequentialTest::assume(const RateMixture& rates) {
  hypothesis_.rates = rates;
  below_.rates = deviating(rates, 1.0 - settings_.deviation);
  above_.rates = deviating(rates, 1.0 + settings_.deviation);
  const std::vector<double> factors = factor_grid();
  for (std::size_t i = 0; i < factors.size(); ++i) grid_[i].rates = deviating(rates, factors[i]);
}

void SequentialTest::begin_filter(const RateMixture& rates) {
  begin_filter();
  assume(rates);
}

void SequentialTest::begin_filter() {
  const auto finish = [this](Alternative& alternative) {
    alternative.finished = log_likelihood(alternative);
  };
  finish(hypothesis_);
  finish(below_);
  finish(above_);
  for (Alternative& alternative : grid_) finish(alternative);
  hits_ = 0;
  misses_ = 0;
}

void SequentialTest::observe(std::uint64_t hits, std::uint64_t num_queries) {
  if (hits > num_queries) throw std::domain_error("more hits than queries");
  hits_ += hits;
  misses_ += num_queries - hits;
  const double honest = log_likelihood(hypothesis_);
  if (honest == -kInfinity) {
    log_evidence_ = kInfinity;
  } else {
    double sum = 0.0;
    double largest = -kInfinity;
    std::vector<double> ratios;
    ratios.reserve(grid_.size());
    for (const Alternative& alternative : grid_) {
      ratios.push_back(log_likelihood(alternative) - honest);
      largest = std::max(largest, ratios.back());
    }
    for (const double ratio : ratios) sum += std::exp(ratio - largest);
    log_evidence_ = largest == -kInfinity
                        ? -kInfinity
                        : largest + std::log(sum / static_cast<double>(grid_.size()));
  }
  largest_log_evidence_ = std::max(largest_log_evidence_, log_evidence_);
  decide();
}

void SequentialTest::decide() {
  if (decision_ != Decision::kOpen) return;
  if (log_evidence_ >= -std::log(settings_.false_alarm)) {
    decision_ = Decision::kRejected;
    return;
  }
  const double honest = log_likelihood(hypothesis_);
  const double deviating = std::max(log_likelihood(below_), log_likelihood(above_));
  if (honest - deviating >= -std::log(settings_.miss)) decision_ = Decision::kAccepted;
}

double SequentialTest::p_value() const {
  return std::min(1.0, std::exp(-largest_log_evidence_));
}

}  // namespace bloometry::statistics
