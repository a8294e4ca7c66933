#include "core/statistics/by_filter_test.hpp"

#include <algorithm>
#include <cmath>

#include "core/require_domain.hpp"
#include "core/statistics/deviation_factors.hpp"

namespace bloometry::statistics {

ByFilterTest::ByFilterTest(const RateMixture& rates, std::uint64_t num_queries, Settings settings)
    : num_queries_(num_queries), settings_(settings) {
  settings.require_valid();
  require_domain(num_queries > 0, "num_queries", "at least 1", num_queries);
  const auto mean_positives = [num_queries](const RateMixture& law) {
    return static_cast<double>(num_queries) * law.mean();
  };
  for (const double factor : deviation_factors()) {
    tilts_.push_back(best_tilt(rates, num_queries, mean_positives(deviating(rates, factor))));
  }
  const auto against = [&](double factor) {
    return best_tilt(deviating(rates, factor), num_queries, mean_positives(rates));
  };
  against_below_ = against(1.0 - settings.deviation);
  against_above_ = against(1.0 + settings.deviation);
}

void ByFilterTest::begin_filter() {
  present_positives_ = 0;
  present_queries_ = 0;
}

void ByFilterTest::observe(std::uint64_t positives, std::uint64_t num_queries) {
  require_at_most("positives", positives, "num_queries", num_queries);
  require_at_most("num_queries", num_queries, "the rest of the planned queries",
                  num_queries_ - present_queries_);
  present_positives_ += positives;
  present_queries_ += num_queries;
  if (num_queries > 0 && present_queries_ == num_queries_) finish_filter();
}

void ByFilterTest::finish_filter() {
  ++num_filters_;
  num_positives_ += present_positives_;
  const double evidence = log_evidence();
  largest_log_evidence_ = std::max(largest_log_evidence_, evidence);
  if (decision_ != Decision::kOpen) return;
  if (evidence >= -std::log(settings_.false_alarm)) {
    decision_ = Decision::kRejected;
  } else if (std::min(log_product(against_below_), log_product(against_above_)) >=
             -std::log(settings_.miss)) {
    decision_ = Decision::kAccepted;
  }
}

double ByFilterTest::log_product(const ChernoffTilt& tilt) const {
  const auto filters = static_cast<double>(num_filters_);
  return tilt.theta * static_cast<double>(num_positives_) - filters * tilt.log_mgf;
}

double ByFilterTest::log_evidence() const {
  double largest = log_product(tilts_.front());
  for (const ChernoffTilt& tilt : tilts_) largest = std::max(largest, log_product(tilt));
  double sum = 0.0;
  for (const ChernoffTilt& tilt : tilts_) sum += std::exp(log_product(tilt) - largest);
  return largest + std::log(sum / static_cast<double>(tilts_.size()));
}

double ByFilterTest::p_value() const {
  return std::min(1.0, std::exp(-largest_log_evidence_));
}

}  // namespace bloometry::statistics
