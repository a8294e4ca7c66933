#include "core/statistics/sequential_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require_domain.hpp"
#include "core/statistics/deviation_factors.hpp"

namespace bloometry::statistics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_share(double value, const char* name) {
  require_domain(value > 0.0 && value < 1.0, name, "in (0, 1)", value);
}

}  // namespace

void SequentialTest::Settings::require_valid() const {
  require_share(false_alarm, "false_alarm");
  require_share(deviation, "deviation");
  require_share(miss, "miss");
}

SequentialTest::SequentialTest(const RateMixture& rates, Settings settings)
    : settings_(settings),
      hypothesis_{rates},
      below_{deviating(rates, 1.0 - settings.deviation)},
      above_{deviating(rates, 1.0 + settings.deviation)} {
  settings.require_valid();
  for (const double factor : deviation_factors()) grid_.push_back({deviating(rates, factor)});
}

double SequentialTest::log_likelihood(const Alternative& alternative) const {
  return alternative.finished + alternative.rates.log_likelihood(positives_, negatives_);
}

void SequentialTest::assume(const RateMixture& rates) {
  hypothesis_.rates = rates;
  below_.rates = deviating(rates, 1.0 - settings_.deviation);
  above_.rates = deviating(rates, 1.0 + settings_.deviation);
  const std::vector<double> factors = deviation_factors();
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
  positives_ = 0;
  negatives_ = 0;
}

void SequentialTest::observe(std::uint64_t positives, std::uint64_t num_queries) {
  require_at_most("positives", positives, "num_queries", num_queries);
  positives_ += positives;
  negatives_ += num_queries - positives;
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
