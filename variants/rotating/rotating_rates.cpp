#include "variants/rotating/rotating_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace bloometry {
namespace {

constexpr std::uint64_t kMostTerms = 1024;
constexpr std::size_t kNumIntervals = 256;
constexpr std::size_t kNumSteps = 9;  // steps of 1, 2, 4, ..., 256 intervals

/// Returns the value at x of the polynomial through the points (Neville's algorithm).
double interpolated(std::array<double, kNumSteps> xs, std::array<double, kNumSteps> ys, double x) {
  for (std::size_t width = 1; width < kNumSteps; ++width) {
    for (std::size_t i = 0; i + width < kNumSteps; ++i) {
      ys[i] = ((x - xs[i + width]) * ys[i] + (xs[i] - x) * ys[i + 1]) / (xs[i] - xs[i + width]);
    }
  }
  return ys[0];
}

/// Returns the trapezoid sum of step 1 over [first, first + 256 h], from values at the ends of
/// intervals of h.
double trapezoid_sum(const std::array<double, kNumIntervals + 1>& values, double h) {
  std::array<double, kNumSteps> squares{};
  std::array<double, kNumSteps> sums{};
  for (std::size_t level = 0; level < kNumSteps; ++level) {
    const std::size_t stride = std::size_t{1} << level;
    double sum = (values.front() + values.back()) / 2;
    for (std::size_t i = stride; i < kNumIntervals; i += stride) sum += values[i];
    const double step = h * static_cast<double>(stride);
    squares[level] = step * step;
    sums[level] = sum * step;
  }
  return interpolated(squares, sums, 1.0);
}

}  // namespace

std::vector<std::uint64_t> inserts_by_age(const RotatingSettings& settings,
                                          std::uint64_t num_keys) {
  std::vector<std::uint64_t> inserts(settings.num_generations, 0);
  if (!settings.rotates_on_inserts || num_keys == 0) {
    inserts.front() = num_keys;
    return inserts;
  }
  const std::uint64_t g = settings.generation_capacity;
  const std::uint64_t num_closed = (num_keys - 1) / g;
  inserts.front() = num_keys - num_closed * g;
  const std::uint64_t num_full = std::min<std::uint64_t>(num_closed, inserts.size() - 1);
  std::fill_n(inserts.begin() + 1, num_full, g);
  return inserts;
}

double rate_of_any(const std::vector<EqualParts>& parts) noexcept {
  double log_none = 0;
  for (const EqualParts& part : parts) {
    if (part.num_parts > 0) log_none += part.num_parts * std::log1p(-part.rate);
  }
  return 0 - std::expm1(log_none);  // not -0 without keys
}

double mean_over_phase(std::uint64_t last, const std::function<double(std::uint64_t)>& rate) {
  const bool adds_all = last <= kMostTerms;
  const std::uint64_t step = adds_all ? 0 : last / kNumIntervals;
  const std::uint64_t num_first = last - step * kNumIntervals;
  double sum = 0;
  for (std::uint64_t t = 1; t <= num_first; ++t) sum += rate(t);
  if (!adds_all) {
    std::array<double, kNumIntervals + 1> values{};
    for (std::size_t i = 0; i <= kNumIntervals; ++i) values[i] = rate(num_first + i * step);
    // The trapezoid sum contains half of its first and of its last term; the first is in `sum`.
    sum += trapezoid_sum(values, static_cast<double>(step)) + (values.back() - values.front()) / 2;
  }
  return sum / static_cast<double>(last);
}

}  // namespace bloometry
