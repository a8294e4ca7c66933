#include "variants/d_left/d_left_refused_inserts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/require_domain.hpp"

namespace bloometry::theory {
namespace {

constexpr unsigned kMaxSubtables = 16;
constexpr unsigned kMaxLoad = 8;  // cells of a bucket, as in variants/d_left/d_left_sizing.hpp
constexpr double kStep = 0.05;    // inserts / B
constexpr double kMostKeysPerBucket = 1000;

/// The mean and the fluctuations of the shares of a table per bucket of a subtable. Share (i, j),
/// for i = 1..8, is the share of the buckets of subtable j with at least i keys. The last share
/// counts refused inserts.
///
/// An insert of a new fingerprint increases one of the counts. It increases count (i, j) if the
/// buckets before subtable j have at least i keys, the bucket in j has i - 1 keys, and the others
/// have at least i
/// - 1 keys. The probability is a product over the subtables of factors that are linear in the
/// shares. The fingerprint is refused if all buckets have 8 keys.
class FluctuatingTable {
 public:
  explicit FluctuatingTable(unsigned num_subtables)
      : d_(num_subtables), size_(num_subtables * kMaxLoad + 1), state_(size_ * (size_ + 2), 0.0) {}

  /// Inserts step B new fingerprints.
  void advance(double step) {
    const State first = slope(state_);
    const State second = slope(moved(first, step / 2));
    const State third = slope(moved(second, step / 2));
    const State fourth = slope(moved(third, step));
    for (std::size_t q = 0; q < state_.size(); ++q) {
      state_[q] += step / 6 * (first[q] + 2 * second[q] + 2 * third[q] + fourth[q]);
    }
  }

  [[nodiscard]] DLeftRefusedInserts moments(double num_buckets) const {
    const Parts<const double> now = parts_of(std::span(state_));
    double stored = 0;
    for (std::size_t a = 0; a < refused(); ++a) stored += now.mean[a];
    return {.fluid_mean = num_buckets * now.mean[refused()],
            .correction = now.correction[refused()],
            .variance = num_buckets * now.covariance[refused() * size_ + refused()],
            .empty_cells = num_buckets * std::max(0.0, d_ * kMaxLoad - stored)};
  }

 private:
  using State = std::vector<double>;

  /// The parts of a state. The mean of a count is B mean + correction, and the covariance of two
  /// counts is B covariance.
  template <class Number>
  struct Parts {
    std::span<Number> mean;
    std::span<Number> correction;
    std::span<Number> covariance;
  };

  /// An event that increases count (load, subtable). If subtable is d, the insert is refused.
  struct Event {
    unsigned load;
    unsigned subtable;
    std::size_t count;
  };

  /// The factor of an event for one subtable: at_least x_i + below x_{i-1}.
  struct Factor {
    double at_least;
    double below;
  };

  template <class Number>
  [[nodiscard]] Parts<Number> parts_of(std::span<Number> state) const {
    return {state.first(size_), state.subspan(size_, size_), state.subspan(2 * size_)};
  }

  [[nodiscard]] std::size_t refused() const { return size_ - 1; }

  /// Returns the index of count (load, subtable), for load >= 1.
  [[nodiscard]] std::size_t index(unsigned load, unsigned subtable) const {
    return (load - 1) * d_ + subtable;
  }

  [[nodiscard]] double share(std::span<const double> mean, unsigned load, unsigned subtable) const {
    return load == 0 ? 1.0 : mean[index(load, subtable)];
  }

  template <class Visit>
  void for_each_event(Visit visit) const {
    for (unsigned i = 1; i <= kMaxLoad; ++i) {
      for (unsigned j = 0; j < d_; ++j) visit(Event{i, j, index(i, j)});
    }
    visit(Event{kMaxLoad, d_, refused()});
  }

  [[nodiscard]] static Factor factor(const Event& event, unsigned subtable) {
    if (subtable < event.subtable) return {1.0, 0.0};
    if (subtable == event.subtable) return {-1.0, 1.0};
    return {0.0, 1.0};
  }

  [[nodiscard]] std::array<double, kMaxSubtables> factor_values(std::span<const double> mean,
                                                                const Event& event) const {
    std::array<double, kMaxSubtables> values{};
    for (unsigned l = 0; l < d_; ++l) {
      const Factor linear = factor(event, l);
      values[l] = linear.at_least * share(mean, event.load, l) +
                  linear.below * share(mean, event.load - 1, l);
    }
    return values;
  }

  /// Returns the product of all factors but those of the two subtables, which may be equal.
  [[nodiscard]] double product_without(const std::array<double, kMaxSubtables>& values, unsigned l,
                                       unsigned m) const {
    double product = 1.0;
    for (unsigned r = 0; r < d_; ++r) {
      if (r != l && r != m) product *= values[r];
    }
    return product;
  }

  /// Calls visit(weight, count) for the two shares in the factor of an event for one subtable.
  template <class Visit>
  void for_each_share(const Event& event, unsigned subtable, Visit visit) const {
    const Factor linear = factor(event, subtable);
    if (linear.at_least != 0.0) visit(linear.at_least, index(event.load, subtable));
    if (linear.below != 0.0 && event.load > 1) {
      visit(linear.below, index(event.load - 1, subtable));
    }
  }

  /// Returns half of the second derivative of an event's product along the covariance.
  [[nodiscard]] double curvature(const Event& event,
                                 const std::array<double, kMaxSubtables>& values,
                                 std::span<const double> covariance) const {
    double sum = 0;
    for (unsigned l = 0; l < d_; ++l) {
      for (unsigned m = l + 1; m < d_; ++m) {
        const double others = product_without(values, l, m);
        if (others == 0.0) continue;
        for_each_share(event, l, [&](double weight, std::size_t a) {
          for_each_share(event, m, [&](double other_weight, std::size_t b) {
            sum += others * weight * other_weight * covariance[a * size_ + b];
          });
        });
      }
    }
    return sum;
  }

  /// Returns the probability that an insert increases each count.
  [[nodiscard]] std::vector<double> rates_of(std::span<const double> mean) const {
    std::vector<double> rates(size_);
    for_each_event([&](const Event& event) {
      rates[event.count] = product_without(factor_values(mean, event), d_, d_);
    });
    return rates;
  }

  /// Writes the row of `jacobian` times covariance, and the slope of the correction, of one event.
  void add_event(const Event& event, const Parts<const double>& now, std::span<const double> rates,
                 std::span<double> row, double& correction) const {
    const std::array<double, kMaxSubtables> values = factor_values(now.mean, event);
    double drift = 0;  // change of the product by the corrections
    double step = 0;   // change of the product during an insert
    for (unsigned l = 0; l < d_; ++l) {
      const double others = product_without(values, l, l);
      if (others == 0.0) continue;
      for_each_share(event, l, [&](double weight, std::size_t a) {
        const double slope = weight * others;
        drift += slope * now.correction[a];
        step += slope * rates[a];
        for (std::size_t b = 0; b < size_; ++b) row[b] += slope * now.covariance[a * size_ + b];
      });
    }
    correction = drift + curvature(event, values, now.covariance) - step / 2;
  }

  /// Returns the derivative of the state by inserts / B. An insert is a step of 1/B, so the slope
  /// of the correction contains half of the second derivative of the mean, with a minus.
  [[nodiscard]] State slope(const State& state) const {
    const Parts<const double> now = parts_of(std::span(state));
    const std::vector<double> rates = rates_of(now.mean);
    State result(state.size(), 0.0);
    const Parts<double> change = parts_of(std::span(result));
    std::vector<double> product(size_ * size_, 0.0);  // Jacobian times covariance
    for_each_event([&](const Event& event) {
      add_event(event, now, rates, std::span(product).subspan(event.count * size_, size_),
                change.correction[event.count]);
    });
    for (std::size_t a = 0; a < size_; ++a) {
      change.mean[a] = rates[a];
      for (std::size_t b = 0; b < size_; ++b) {
        change.covariance[a * size_ + b] =
            product[a * size_ + b] + product[b * size_ + a] - rates[a] * rates[b];
      }
      change.covariance[a * size_ + a] += rates[a];
    }
    return result;
  }

  [[nodiscard]] State moved(const State& slope, double step) const {
    State result(state_);
    for (std::size_t q = 0; q < result.size(); ++q) result[q] += step * slope[q];
    return result;
  }

  unsigned d_;
  std::size_t size_;  // number of counts
  State state_;
};

}  // namespace

double DLeftRefusedInserts::relative_correction() const noexcept {
  return fluid_mean > 0 ? correction / fluid_mean : 0.0;
}

double DLeftRefusedInserts::mean() const noexcept {
  return fluid_mean * std::exp(relative_correction());
}

DLeftRefusedPath::DLeftRefusedPath(double most, unsigned num_subtables,
                                   std::uint64_t buckets_per_subtable) {
  require_domain(num_subtables > 0 && num_subtables <= kMaxSubtables, "num_subtables", "in [1, 16]",
                 num_subtables);
  require_domain(buckets_per_subtable > 0, "buckets_per_subtable", "at least 1",
                 buckets_per_subtable);
  const auto num_buckets = static_cast<double>(buckets_per_subtable);
  require_domain(most >= 0 && most / (num_buckets * num_subtables) <= kMostKeysPerBucket,
                 "fingerprints / (d B)", "in [0, 1000]", most / (num_buckets * num_subtables));
  const double num_steps = std::max(1.0, std::ceil(most / num_buckets / kStep));
  step_ = most / num_steps;
  FluctuatingTable table(num_subtables);
  moments_.push_back(table.moments(num_buckets));
  while (static_cast<double>(moments_.size()) <= num_steps) {
    table.advance(step_ / num_buckets);
    moments_.push_back(table.moments(num_buckets));
  }
}

DLeftRefusedInserts DLeftRefusedPath::at(double num_fingerprints) const noexcept {
  const double position = step_ > 0 ? num_fingerprints / step_ : 0.0;
  const auto last = static_cast<double>(moments_.size() - 2);
  const auto index = static_cast<std::size_t>(std::clamp(std::floor(position), 0.0, last));
  const double weight = std::clamp(position - static_cast<double>(index), 0.0, 1.0);
  const DLeftRefusedInserts& before = moments_[index];
  const DLeftRefusedInserts& after = moments_[index + 1];
  return {.fluid_mean = std::lerp(before.fluid_mean, after.fluid_mean, weight),
          .correction = std::lerp(before.correction, after.correction, weight),
          .variance = std::lerp(before.variance, after.variance, weight),
          .empty_cells = std::lerp(before.empty_cells, after.empty_cells, weight)};
}

}  // namespace bloometry::theory
