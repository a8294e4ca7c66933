#include "core/theory/growing_rate.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <stdexcept>

namespace bloometry::theory {
namespace {

constexpr double kSummedDirectly = 64.0;  // keys; above, end corrections are good to 1e-9

/// One stage while it fills; u counts the keys whose probes set its bits.
class FillingStage {
 public:
  explicit FillingStage(const Stage& stage)
      : num_hashes_(stage.num_hashes),
        log_miss_(std::log1p(-1.0 / static_cast<double>(stage.slice_bits))),
        last_fill_(stage.max_fill - 1.0 / static_cast<double>(stage.slice_bits)) {
    if (stage.slice_bits == 0 || stage.num_hashes == 0 || stage.capacity == 0) {
      throw std::domain_error("stage: capacity, num_hashes and slice_bits must be at least 1");
    }
  }

  /// (1 - (1-1/w)^u)^k
  double rate(double u) const { return u == 0.0 ? 0.0 : std::pow(fill(u), num_hashes_); }

  /// The u up to which one more key, a bit in every slice, could not push it past its largest fill;
  /// negative if the first key could.
  double keys_before_last() const { return std::log1p(-last_fill_) / log_miss_; }

  /// sum_{l=0}^{count-1} rate(l * step)
  double summed_rate(double count, double step) const {
    double sum = 0.0;
    const double direct = std::min(count, kSummedDirectly);
    for (double l = 0.0; l < direct; ++l) sum += rate(l * step);
    if (count > direct) sum += euler_maclaurin(direct, count, step);
    return sum;
  }

 private:
  double fill(double u) const { return -std::expm1(u * log_miss_); }

  /// d rate / du
  double slope(double u) const {
    const double f = fill(u);
    if (f == 1.0) return 0.0;
    return num_hashes_ * std::pow(f, num_hashes_ - 1.0) * (1.0 - f) * -log_miss_;
  }

  /// The sum over first <= l < last as an integral with end corrections. The next term is the third
  /// derivative / 720, of order (k/l)^3 rate / 720: below 1e-9 of the keys from 64 on.
  double euler_maclaurin(double first, double last, double step) const {
    const auto at = [&](double l) { return rate(l * step); };
    // Panels double in width: the rate changes on the scale of w, wherever that lies.
    double integral = 0.0;
    for (double from = first; from < last; from *= 2.0) {
      integral += boost::math::quadrature::gauss<double, 30>::integrate(at, from,
                                                                        std::min(2.0 * from, last));
    }
    const double ends = 0.5 * (at(first) - at(last));
    return integral + ends + step * (slope(last * step) - slope(first * step)) / 12.0;
  }

  double num_hashes_;
  double log_miss_;
  double last_fill_;
};

/// How the keys offered to one stage change it: after j keys u = j * u_per_key, and stored(j) of
/// them are stored.
struct KeyFlow {
  const FillingStage& stage;
  InsertPolicy policy;
  double closed_rate;  // F_old

  double u_per_key() const { return policy == InsertPolicy::kBlind ? 1.0 : 1.0 - closed_rate; }

  double stored(double keys) const {
    if (policy == InsertPolicy::kBlind) return keys;
    return (1.0 - closed_rate) * (keys - stage.summed_rate(keys, 1.0 - closed_rate));
  }
};

/// First whole number of keys in (0, limit] after which `closed` holds; limit if none does.
template <class Predicate>
double first_key_where(double limit, Predicate&& closed) {
  double low = 0.0;
  double high = limit;
  while (high - low > 1.0) {
    const double middle = std::floor(0.5 * (low + high));
    (closed(middle) ? high : low) = middle;
  }
  return high;
}

/// Keys that a stage is offered before it closes, at most `offered`; `closes` tells whether it
/// does.
struct StageSpan {
  double keys = 0.0;
  bool closes = false;
};

StageSpan keys_until_fill(const KeyFlow& flow, double offered) {
  // The first whole number of keys past that point; a stage takes at least one.
  const double needed =
      std::max(1.0, std::floor(flow.stage.keys_before_last() / flow.u_per_key()) + 1.0);
  return {std::min(needed, offered), needed <= offered};
}

StageSpan keys_until_count(const KeyFlow& flow, const Stage& stage, double offered) {
  const double capacity = static_cast<double>(stage.capacity);
  // Keys are whole: the stage closes nearest to where its expected number reaches the capacity.
  const auto closed = [&](double keys) { return flow.stored(keys) >= capacity - 0.5; };
  if (flow.policy == InsertPolicy::kBlind) {
    return {std::min(capacity, offered), capacity <= offered};
  }
  // Nearly all keys are stored: try twice the capacity before everything that is left.
  const double likely = std::min(offered, 2.0 * capacity + 2.0);
  if (closed(likely)) return {first_key_where(likely, closed), true};
  if (likely == offered || !closed(offered)) return {offered, false};
  return {first_key_where(offered, closed), true};
}

}  // namespace

GrowthState exact_growth(std::uint64_t num_keys, const StageSource& stages) {
  return fluid_growth(num_keys, stages, InsertPolicy::kBlind, StageChange::kCount);
}

GrowthState fluid_growth(std::uint64_t num_keys, const StageSource& stages, InsertPolicy policy,
                         StageChange change) {
  GrowthState state;
  double left = static_cast<double>(num_keys);
  do {
    const Stage stage = stages(state.num_stages++);
    const FillingStage filling(stage);
    const KeyFlow flow{filling, policy, state.rate};
    const StageSpan span = change == StageChange::kFill ? keys_until_fill(flow, left)
                                                        : keys_until_count(flow, stage, left);
    state.num_stored += flow.stored(span.keys);
    state.design_bound += stage.error_rate * (1.0 - state.design_bound);
    state.rate += filling.rate(span.keys * flow.u_per_key()) * (1.0 - state.rate);
    left -= span.keys;
    if (!span.closes) break;
  } while (left > 0.0);
  return state;
}

}  // namespace bloometry::theory
