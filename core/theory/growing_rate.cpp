#include "core/theory/growing_rate.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>

#include "core/rates/binomial_mixture.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/rates/root_between.hpp"
#include "core/require_domain.hpp"

namespace bloometry::theory {
namespace {

constexpr double kNegligible = 0x1p-60;  // relative to 1
constexpr double kSummedDirectly =
    64.0;  // number of keys from which end corrections have an error below 1e-9

/// A stage of slices that is being filled. The variable u is the number of keys whose probes set
/// bits of the stage.
class FillingSlices {
 public:
  explicit FillingSlices(const Stage& stage)
      : num_hashes_(stage.num_hashes),
        log_miss_(std::log1p(-1.0 / static_cast<double>(stage.slice_bits))),
        last_fill_(stage.max_fill - 1.0 / static_cast<double>(stage.slice_bits)) {}

  /// Returns (1 - (1-1/w)^u)^k.
  double rate(double u) const { return u == 0.0 ? 0.0 : std::pow(fill(u), num_hashes_); }

  /// Returns the derivative of rate with respect to u.
  double slope(double u) const {
    const double f = fill(u);
    if (f == 1.0) return 0.0;
    return num_hashes_ * std::pow(f, num_hashes_ - 1.0) * (1.0 - f) * -log_miss_;
  }

  /// Returns the largest u at which one more key, which sets a bit in every slice, cannot raise the
  /// fill above max_fill. The result is negative if the first key can raise the fill above
  /// max_fill.
  double keys_before_last() const { return std::log1p(-last_fill_) / log_miss_; }

 private:
  double fill(double u) const { return -std::expm1(u * log_miss_); }

  double num_hashes_;
  double log_miss_;
  double last_fill_;
};

/// A stage of blocks that is being filled. The variable u is the number of keys whose probes set
/// bits of the stage.
class FillingBlocks {
 public:
  explicit FillingBlocks(const Stage& stage)
      : stage_(stage),
        free_probes_(ProbeModel::kWithReplacement, stage.block_bits, stage.num_hashes),
        log_miss_(std::log1p(-static_cast<double>(stage.num_hashes) / stage.block_bits)) {}

  /// Returns E[F_B(j)] for j ~ Bin(u, 1/b).
  double rate(double u) const {
    return mean(u, [this](std::uint64_t num_keys) { return in_block(num_keys); });
  }

  /// Returns the derivative of rate with respect to u, as the central difference over one key on
  /// each side. The error is the third derivative / 6.
  double slope(double u) const { return 0.5 * (rate(u + 1.0) - rate(u - 1.0)); }

  /// Returns the largest u at which one more key does not raise the rate above P. The result is
  /// negative if the first key raises the rate above P. A stage of lanes ends before a key that
  /// could raise the rate above P. The function therefore assumes that the key sets a new bit in
  /// each lane. The rate at the end of a stage of lanes is therefore lower by a share of 1/b.
  double keys_before_last() const {
    if (has_lanes()) return keys_where([this](double u) { return rate_with_new_bits(u); });
    return keys_where([this](double u) { return rate(u); }) - 1.0;
  }

 private:
  bool has_lanes() const { return stage_.block_model == ProbeModel::kPartitioned; }

  /// Returns the u at which the increasing function at(u) is P. The result is negative if at(0)
  /// exceeds P.
  double keys_where(const std::function<double(double)>& at) const {
    const auto over = [&](double keys) { return at(keys) - stage_.error_rate; };
    if (over(0.0) > 0.0) return -1.0;
    double high = static_cast<double>(stage_.capacity);
    while (over(high) < 0.0) high *= 2.0;
    return root_between(0.0, high, over);
  }

  /// Returns the rate after a key that sets a bit in each lane of its block.
  double rate_with_new_bits(double u) const {
    const double lane_bits = static_cast<double>(stage_.block_bits) / stage_.num_hashes;
    const double blocks = static_cast<double>(stage_.num_blocks);
    const double in_its_block = mean(u, [&](std::uint64_t num_keys) {
      return std::pow(std::min(1.0, lane_fill(num_keys) + 1.0 / lane_bits), stage_.num_hashes);
    });
    return rate(u) * (1.0 - 1.0 / blocks) + in_its_block / blocks;
  }

  /// Returns E[at(j)] for j ~ Bin(u, 1/b). If the stage has one block, the function interpolates
  /// linearly between whole u.
  double mean(double u, const std::function<double(std::uint64_t)>& at) const {
    const double blocks = static_cast<double>(stage_.num_blocks);
    if (stage_.num_blocks > 1) return cell_mean_of(u, blocks, at);
    const double whole = std::floor(u);
    const double below = cell_mean_of(whole, blocks, at);
    return below + (u - whole) * (cell_mean_of(whole + 1.0, blocks, at) - below);
  }

  /// Returns the rate of a block with num_keys keys.
  double in_block(std::uint64_t num_keys) const {
    return has_lanes() ? std::pow(lane_fill(num_keys), stage_.num_hashes) : free_probes_(num_keys);
  }

  double lane_fill(std::uint64_t num_keys) const {
    return -std::expm1(static_cast<double>(num_keys) * log_miss_);
  }

  Stage stage_;
  mutable InBlockRates free_probes_;
  double log_miss_;  // log P(a key misses a given bit of a lane)
};

/// Returns the largest number first * 2^i that is below last.
double panel_before(double first, double last) {
  double from = first;
  while (2.0 * from < last) from *= 2.0;
  return from;
}

/// Returns the sum over first <= l < last of rate(l * step), computed as an integral with end
/// corrections. The first omitted term is the third derivative / 720, of order (k/l)^3 rate / 720.
/// From 64 keys on, the omitted term is below 1e-9 of the number of keys.
template <class Filling>
double euler_maclaurin(const Filling& stage, double first, double last, double step) {
  const auto at = [&](double l) { return stage.rate(l * step); };
  // Panels double in width, because the rate changes on the scale of w. The rate is increasing, so
  // the loop starts at the last panel and runs downwards until the rest is negligible.
  double integral = 0.0;
  double to = last;
  for (double from = panel_before(first, last); to > first; to = from, from *= 0.5) {
    integral += boost::math::quadrature::gauss<double, 30>::integrate(at, from, to);
    if (from * at(from) <= kNegligible * integral) break;
  }
  const double ends = 0.5 * (at(first) - at(last));
  return integral + ends + step * (stage.slope(last * step) - stage.slope(first * step)) / 12.0;
}

/// Returns the sum of rate(l * step) over l = 0..count - 1.
template <class Filling>
double summed_rate(const Filling& stage, double count, double step) {
  // The rate is increasing, so the sum is at most count times the last rate. If the last rate is
  // negligible, the sum is negligible compared with the number of keys.
  if (stage.rate(count * step) < kNegligible) return 0.0;
  const double direct = std::min(count, kSummedDirectly);
  double sum = count > direct ? euler_maclaurin(stage, direct, count, step) : 0.0;
  if (direct * stage.rate(direct * step) <= kNegligible * sum) return sum;
  for (double l = 0.0; l < direct; ++l) sum += stage.rate(l * step);
  return sum;
}

/// The effect of the keys offered to one stage. After j offered keys, u is j * u_per_key(), and the
/// stage contains stored(j) keys.
template <class Filling>
struct KeyFlow {
  const Filling& stage;
  InsertPolicy policy;
  double closed_rate;  // F_old

  double u_per_key() const { return policy == InsertPolicy::kBlind ? 1.0 : 1.0 - closed_rate; }

  double stored(double keys) const {
    if (policy == InsertPolicy::kBlind) return keys;
    return (1.0 - closed_rate) * (keys - summed_rate(stage, keys, 1.0 - closed_rate));
  }

  /// Returns the increase of stored() per further offered key. The increase becomes smaller with
  /// more keys.
  double share_stored(double keys) const {
    return u_per_key() * (1.0 - stage.rate(keys * u_per_key()));
  }
};

/// The number of keys that a stage receives, and whether the stage closes after these keys. The
/// number is at most `offered`.
struct StageSpan {
  double keys = 0.0;
  bool closes = false;
};

template <class Filling>
StageSpan keys_until_fill(const KeyFlow<Filling>& flow, double offered) {
  // The stage closes after the first whole number of keys above keys_before_last(). A stage accepts
  // at least one key.
  const double needed =
      std::max(1.0, std::floor(flow.stage.keys_before_last() / flow.u_per_key()) + 1.0);
  return {std::min(needed, offered), needed <= offered};
}

/// Returns the least whole number of offered keys in (low, high] for which stored() is at least
/// `enough`. stored(high) must be at least `enough`.
template <class Filling>
double first_key_with(double enough, double low, double high, const KeyFlow<Filling>& flow) {
  while (high - low > 1.0) {
    const double middle = std::floor(low + 0.5 * (high - low));
    if (middle <= low || middle >= high) break;  // low and high are adjacent doubles above 2^53
    (flow.stored(middle) >= enough ? high : low) = middle;
  }
  return high;
}

template <class Filling>
StageSpan keys_until_count(const KeyFlow<Filling>& flow, const Stage& stage, double offered) {
  const double capacity = static_cast<double>(stage.capacity);
  if (flow.policy == InsertPolicy::kBlind) {
    return {std::min(capacity, offered), capacity <= offered};
  }
  // Numbers of keys are whole, so the stage closes where the expected number is nearest to the
  // capacity.
  const double enough = capacity - 0.5;
  // Tangents lie above a concave function, so a tangent reaches `enough` at the same number of keys
  // as the function or earlier.
  constexpr int kTangents = 8;
  double keys = std::max(1.0, std::ceil(enough / flow.u_per_key()));
  for (int i = 0; i < kTangents; ++i) {
    if (!(keys <= offered)) return {offered, false};
    const double stored = flow.stored(keys);
    if (stored >= enough) return {keys, true};
    keys = std::max(keys + 1.0, std::ceil(keys + (enough - stored) / flow.share_stored(keys)));
  }
  if (!(keys <= offered) || flow.stored(offered) < enough) return {offered, false};
  return {first_key_with(enough, keys - 1.0, offered, flow), true};
}

/// Offers the remaining keys to the stage. Returns the number of keys that the stage accepts, and
/// whether the stage closes.
template <class Filling>
StageSpan offer_keys(const Stage& stage, InsertPolicy policy, StageChange change, double left,
                     GrowthState& state) {
  const Filling filling(stage);
  const KeyFlow<Filling> flow{filling, policy, state.rate};
  const StageSpan span = change == StageChange::kFill ? keys_until_fill(flow, left)
                                                      : keys_until_count(flow, stage, left);
  state.num_stored += flow.stored(span.keys);
  state.design_bound += stage.error_rate * (1.0 - state.design_bound);
  state.rate += filling.rate(span.keys * flow.u_per_key()) * (1.0 - state.rate);
  return span;
}

void require_valid(const Stage& stage) {
  require_domain(stage.capacity > 0, "capacity of a stage", "at least 1", stage.capacity);
  require_domain(stage.num_hashes > 0, "num_hashes of a stage", "at least 1", stage.num_hashes);
  if (stage.num_blocks > 0) {
    require_domain(stage.block_bits > 0, "block_bits of a stage", "at least 1", stage.block_bits);
  } else {
    require_domain(stage.slice_bits > 0, "slice_bits of a stage without blocks", "at least 1",
                   stage.slice_bits);
  }
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
    require_valid(stage);
    const StageSpan span = stage.num_blocks > 0
                               ? offer_keys<FillingBlocks>(stage, policy, change, left, state)
                               : offer_keys<FillingSlices>(stage, policy, change, left, state);
    left -= span.keys;
    if (!span.closes) break;
  } while (left > 0.0);
  return state;
}

}  // namespace bloometry::theory
