#include "experiments/subject/fill_test.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bloometry {
namespace {

constexpr double kLeastTilt = 0.1;
constexpr double kLargestTilt = 6.5;
constexpr double kLeastDeviation = 0.1;  // in cells; wrong fills differ by at least 1

}  // namespace

FillTest::FillTest(const theory::FillLaw& law) : expected_(law.mean()) {
  const double deviation = std::max(kLeastDeviation, std::sqrt(law.variance()));
  for (double tilt = kLeastTilt; tilt < kLargestTilt; tilt *= std::numbers::sqrt2) {
    for (const double theta : {tilt / deviation, -tilt / deviation}) {
      tilts_.push_back({theta, law.log_centred_mgf(theta)});
    }
  }
}

void FillTest::observe(std::uint64_t num_ones) {
  ++num_fills_;
  sum_ += static_cast<double>(num_ones) - expected_;
  largest_log_evidence_ = std::max(largest_log_evidence_, log_evidence());
}

double FillTest::log_evidence() const {
  const auto exponent = [this](const Tilt& tilt) {
    return tilt.theta * sum_ - static_cast<double>(num_fills_) * tilt.log_mgf;
  };
  double largest = exponent(tilts_.front());
  for (const Tilt& tilt : tilts_) largest = std::max(largest, exponent(tilt));
  double sum = 0.0;
  for (const Tilt& tilt : tilts_) sum += std::exp(exponent(tilt) - largest);
  return largest + std::log(sum / static_cast<double>(tilts_.size()));
}

double FillTest::p_value() const {
  return std::min(1.0, std::exp(-largest_log_evidence_));
}

double FillTest::mean_ones() const {
  return num_fills_ == 0 ? 0.0 : expected_ + sum_ / static_cast<double>(num_fills_);
}

}  // namespace bloometry
