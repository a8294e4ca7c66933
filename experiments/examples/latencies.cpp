#include "experiments/examples/latencies.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "experiments/text/number_text.hpp"

namespace bloometry::examples {
namespace {

std::string microseconds(Clock::duration time) {
  return grouped_real(std::chrono::duration<double, std::micro>(time).count(), 3);
}

}  // namespace

Clock::duration Latencies::quantile(double q) const {
  if (times_.empty()) return {};
  const double rank = std::ceil(q * static_cast<double>(times_.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  std::vector<Clock::duration> sorted = times_;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(index),
                   sorted.end());
  return sorted[index];
}

std::string Latencies::text() const {
  return fmt::format("{} / {}", microseconds(quantile(0.5)), microseconds(quantile(0.99)));
}

}  // namespace bloometry::examples
