#include "experiments/subject/load_test.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rates/rate_given_state.hpp"
#include "core/statistics/total_positives_test.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kSequentialFilters = 4;  // maximum, as a multiple of the plan's filters
// A sequential test needs about a sixth of the planned queries to accept. With a 24th of the
// planned queries per filter and four times as many filters, the test can still decide.
constexpr double kLeastHopefulShare = 1.0 / 24;

}  // namespace

LoadTest::LoadTest(Claim claim, const MeasurementPlan& plan, const Settings& settings)
    : claim_(std::move(claim)),
      settings_(settings),
      level_(settings.goal.false_alarm / (settings.has_fills ? 2 : 1)),
      false_positives_(make_false_positives_test(plan)),
      rate_(claim_.law.expected_rate) {
  verdict_.num_keys = claim_.num_keys;
  verdict_.plan = plan;
  verdict_.false_alarm = level_;
  verdict_.expected_rate = claim_.law.expected_rate;
  verdict_.rate_stddev = claim_.law.rate_stddev;
  if (!settings.has_fills) return;
  const theory::FillLaw law(claim_.model, claim_.num_keys, claim_.num_cells, claim_.num_hashes);
  fills_.emplace(law);
  verdict_.expected_ones = law.mean();
  verdict_.ones_stddev = std::sqrt(law.variance());
}

LoadTest::FalsePositivesTest LoadTest::make_false_positives_test(
    const MeasurementPlan& plan) const {
  const statistics::SequentialTest::Settings settings{
      .false_alarm = level_, .deviation = settings_.goal.deviation, .miss = settings_.goal.miss};
  if (!claim_.law.is_bound) return statistics::SequentialTest(claim_.law.rates, settings);
  // The number of queries is 0 for an excluded load, because it has no plan.
  const std::uint64_t num_queries = std::max<std::uint64_t>(1, plan.num_queries);
  return statistics::ByFilterTest(claim_.law.rates, num_queries, settings);
}

LoadTest::Decision LoadTest::false_positives_decision() const {
  return std::visit([](const auto& test) { return test.decision(); }, false_positives_);
}

std::uint64_t LoadTest::max_hit_filters() const noexcept {
  const double least_share = settings_.must_decide ? kLeastHopefulShare : 1;
  const bool goes_on = settings_.is_sequential && plan().share_of_goal >= least_share;
  return plan().num_filters * (goes_on ? kSequentialFilters : 1);
}

std::uint64_t LoadTest::max_filters() const noexcept {
  return std::max(max_hit_filters(), settings_.has_fills ? plan().num_fills : 0);
}

bool LoadTest::needs_false_positives(std::uint64_t trial) const {
  if (is_left_out() || trial >= max_hit_filters()) return false;
  return !settings_.is_sequential || false_positives_decision() == Decision::kOpen;
}

bool LoadTest::needs_fill(std::uint64_t trial) const {
  if (!settings_.has_fills || is_left_out()) return false;
  return trial < plan().num_fills || needs_false_positives(trial);
}

void LoadTest::begin_filter() {
  std::visit([](auto& test) { test.begin_filter(); }, false_positives_);
  ++verdict_.num_filters;
}

void LoadTest::observe_fill(std::uint64_t num_ones) {
  fills_->observe(num_ones);
  // The fill does not give the rate of a partitioned filter, because the distribution of the set
  // bits over the slices is unknown.
  if (claim_.model == ProbeModel::kPartitioned || num_ones > claim_.num_cells) return;
  rate_ = rate_given_ones(claim_.model, num_ones, claim_.num_cells, claim_.num_hashes);
  std::get<statistics::SequentialTest>(false_positives_)
      .begin_filter(statistics::RateMixture::certain(rate_));
}

void LoadTest::observe_false_positives(std::uint64_t num_false_positives,
                                       std::uint64_t num_queries) {
  std::visit([&](auto& test) { test.observe(num_false_positives, num_queries); }, false_positives_);
  verdict_.num_false_positives += num_false_positives;
  verdict_.num_queries += num_queries;
  verdict_.expected_false_positives += rate_ * static_cast<double>(num_queries);
}

bool LoadTest::fills_reject() const {
  return fills_ && fills_->p_value() <= level_;
}

bool LoadTest::is_rejected() const {
  if (is_left_out()) return false;
  return fills_reject() ||
         (settings_.is_sequential && false_positives_decision() == Decision::kRejected);
}

double LoadTest::false_positives_p_value() const {
  // Filters with different fills have no common distribution of false positives. The p-value of the
  // sequential test is also valid for a fixed plan.
  if (settings_.is_sequential || settings_.has_fills) {
    return std::visit([](const auto& test) { return test.p_value(); }, false_positives_);
  }
  return statistics::TotalPositivesTest(claim_.law.rates, plan().num_filters, plan().num_queries)
      .two_sided_p_value(verdict_.num_false_positives);
}

LoadVerdict::Outcome LoadTest::outcome(bool was_stopped) const {
  using Outcome = LoadVerdict::Outcome;
  if (is_left_out() || verdict_.num_queries == 0) return Outcome::kNotQueried;
  if (settings_.is_sequential) {
    if (false_positives_decision() == Decision::kRejected) return Outcome::kRejected;
    if (false_positives_decision() == Decision::kAccepted) return Outcome::kAccepted;
    if (was_stopped) return Outcome::kNotQueried;
    return plan().reaches_goal() || settings_.must_decide ? Outcome::kOpen : Outcome::kLimited;
  }
  if (was_stopped) return Outcome::kNotQueried;
  if (false_positives_p_value() < level_) return Outcome::kRejected;
  return plan().reaches_goal() ? Outcome::kAccepted : Outcome::kLimited;
}

LoadVerdict LoadTest::verdict(bool was_stopped) const {
  LoadVerdict result = verdict_;
  result.outcome = outcome(was_stopped);
  if (result.num_queries > 0 && (settings_.is_sequential || !was_stopped)) {
    result.p_value = false_positives_p_value();
  }
  if (!fills_ || fills_->num_fills() == 0) return result;
  result.num_fills = fills_->num_fills();
  result.mean_ones = fills_->mean_ones();
  result.fill_p_value = fills_->p_value();
  result.fill_rejected = !is_left_out() && fills_reject();
  return result;
}

}  // namespace bloometry
