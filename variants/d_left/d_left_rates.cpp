#include "variants/d_left/d_left_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/require_domain.hpp"

namespace bloometry::theory {
namespace {

void require_load(double average_load) {
  require_domain(average_load > 0.0 && average_load <= 64.0, "average_load", "in (0, 64]",
                 average_load);
}

void require_remainder(unsigned remainder_bits) {
  require_domain(remainder_bits > 0 && remainder_bits <= 64, "remainder_bits", "in [1, 64]",
                 remainder_bits);
}

/// Bucket loads of d subtables in the fluid limit. The element x_[i * d_ + j] is the share of the
/// buckets of subtable j that have at least i keys.
class FluidLoads {
 public:
  FluidLoads(unsigned num_subtables, double average_load)
      : d_(num_subtables),
        total_(num_subtables * average_load),
        // For d = 1, the loads have a Poisson distribution, and the levels cover ten standard
        // deviations. For more subtables, most levels stay empty and do not need time.
        num_levels_(static_cast<unsigned>(average_load + 10.0 * std::sqrt(average_load) + 30.0)),
        x_((num_levels_ + 2) * d_, 0.0) {
    std::fill_n(x_.begin(), d_, 1.0);  // every bucket has at least 0 keys
  }

  /// Inserts all keys in steps of B * step keys, where B is the number of buckets per subtable.
  void fill(double step) {
    const auto num_steps = static_cast<std::uint64_t>(std::ceil(total_ / step));
    for (std::uint64_t i = 0; i < num_steps; ++i) {
      advance(total_ / static_cast<double>(num_steps), false);
    }
  }

  /// Simulates erases and inserts until the loads are constant. A fixed point of the Runge-Kutta
  /// steps is a stationary solution of the differential equation for any step size, so the steps
  /// may be large.
  void churn() {
    // After 60 lifetimes, e^-60 of the keys remain. A lifetime is d * load * B inserts.
    constexpr double kLifetimes = 60.0;
    // The fastest process is the erase of a key from a bucket of the highest level. Runge-Kutta is
    // stable for steps of up to 2.8 times the mean time of this process.
    const double step = 1.0 / (1.0 + num_levels_ / total_);
    const auto num_steps = static_cast<std::uint64_t>(kLifetimes * total_ / step) + 100;
    for (std::uint64_t i = 0; i < num_steps; ++i) advance(step, true);
  }

  std::vector<double> tails(unsigned max_load) const {
    std::vector<double> tails(max_load + 1, 0.0);
    for (unsigned i = 0; i <= std::min(max_load, num_levels_); ++i) {
      for (unsigned j = 0; j < d_; ++j) tails[i] += x_[i * d_ + j] / d_;
    }
    return tails;
  }

 private:
  using State = std::vector<double>;

  State slope(const State& x, bool churns) const {
    State slope(x.size(), 0.0);
    for (unsigned i = 1; i <= num_levels_; ++i) {
      if (x[(i - 1) * d_] == 0.0) break;  // the loads do not reach this level
      for (unsigned j = 0; j < d_; ++j) {
        slope[i * d_ + j] = inserted(x, i, j);
        if (churns) slope[i * d_ + j] -= i * (x[i * d_ + j] - x[(i + 1) * d_ + j]) / total_;
      }
    }
    return slope;
  }

  double inserted(const State& x, unsigned i, unsigned j) const {
    double flow = x[(i - 1) * d_ + j] - x[i * d_ + j];
    for (unsigned l = 0; l < d_; ++l) {
      if (l < j) flow *= x[i * d_ + l];
      if (l > j) flow *= x[(i - 1) * d_ + l];
    }
    return flow;
  }

  static State moved(const State& x, const State& slope, double step) {
    State result(x.size());
    for (std::size_t q = 0; q < x.size(); ++q) result[q] = x[q] + step * slope[q];
    return result;
  }

  void advance(double step, bool churns) {
    const State first = slope(x_, churns);
    const State second = slope(moved(x_, first, step / 2), churns);
    const State third = slope(moved(x_, second, step / 2), churns);
    const State fourth = slope(moved(x_, third, step), churns);
    for (std::size_t q = 0; q < x_.size(); ++q) {
      x_[q] += step / 6 * (first[q] + 2 * second[q] + 2 * third[q] + fourth[q]);
    }
  }

  unsigned d_;
  double total_;
  unsigned num_levels_;
  State x_;
};

void require_table(unsigned num_subtables, double average_load) {
  require_domain(num_subtables > 0 && num_subtables <= 16, "num_subtables", "in [1, 16]",
                 num_subtables);
  require_load(average_load);
}

}  // namespace

double d_left_rate(std::uint64_t n, std::uint64_t buckets_per_subtable, unsigned remainder_bits) {
  require_domain(buckets_per_subtable > 0, "buckets_per_subtable", "at least 1",
                 buckets_per_subtable);
  require_remainder(remainder_bits);
  const double num_fingerprints =
      std::ldexp(static_cast<double>(buckets_per_subtable), static_cast<int>(remainder_bits));
  return -std::expm1(static_cast<double>(n) * std::log1p(-1.0 / num_fingerprints));
}

double d_left_linear_rate(unsigned num_subtables, double average_load, unsigned remainder_bits) {
  require_table(num_subtables, average_load);
  require_remainder(remainder_bits);
  return std::ldexp(num_subtables * average_load, -static_cast<int>(remainder_bits));
}

double d_left_bits_per_key(unsigned cells_per_bucket, double average_load, unsigned remainder_bits,
                           unsigned counter_bits) {
  require_load(average_load);
  require_remainder(remainder_bits);
  require_domain(cells_per_bucket > 0, "cells_per_bucket", "at least 1", cells_per_bucket);
  return cells_per_bucket * (static_cast<double>(remainder_bits) + counter_bits) / average_load;
}

std::vector<double> d_left_insert_only_tails(unsigned num_subtables, double average_load,
                                             unsigned max_load) {
  require_table(num_subtables, average_load);
  FluidLoads coarse(num_subtables, average_load);
  FluidLoads fine = coarse;
  coarse.fill(1e-3);
  fine.fill(5e-4);
  std::vector<double> tails = fine.tails(max_load);
  const std::vector<double> rough = coarse.tails(max_load);
  for (unsigned i = 0; i <= max_load; ++i) tails[i] += (tails[i] - rough[i]) / 15.0;
  return tails;
}

std::vector<double> d_left_steady_state_tails(unsigned num_subtables, double average_load,
                                              unsigned max_load) {
  require_table(num_subtables, average_load);
  FluidLoads loads(num_subtables, average_load);
  loads.fill(1e-2);
  loads.churn();
  return loads.tails(max_load);
}

}  // namespace bloometry::theory
