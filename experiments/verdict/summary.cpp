#include "experiments/verdict/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/ratio_interval.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/verdict/row_names.hpp"
#include "experiments/verdict/verdict.hpp"
#include "experiments/workload/key_hash.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

constexpr double kIntervalAlpha = 0.05;  // for 95 % confidence

/// The trials of one point, in the order of the rows.
struct PointTrials {
  std::vector<const RowVerdict*> rows;
  RowContext context;  // has_num_keys is the AND over all trials
};

std::optional<std::uint64_t> max_capacity_in(const RowContext& context) {
  return max_capacity_of(context.point.spec.params);
}

/// Returns whether the memory depends on the keys: in a filter that keeps its target rate, and in a
/// table that doubles on its own.
bool grows(const TrialRow& row, const RowContext& context) {
  return row.target_false_positive_rate || max_capacity_in(context);
}

/// Returns the fields that identify a point. Rows with equal fields are trials of one point. The
/// fields do not include the memory of a filter that grows, because the trial determines that
/// memory. They include the number of counters of the spec.
auto point_key(const RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  const std::uint64_t num_bits = grows(row, verdict.context) ? 0 : row.num_bits;
  return std::make_tuple(row.variant, row.keys, row.hash, row.probes, row.params, row.num_inserted,
                         num_bits, verdict.context.point.spec.num_counters, row.num_hashes,
                         row.target_false_positive_rate, verdict.context.churn,
                         verdict.context.window, verdict.context.stream);
}

std::vector<PointTrials> group_by_point(const Verdict& verdict) {
  std::vector<const RowVerdict*> sorted;
  for (const RowVerdict& row : verdict.rows) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(),
            [](const RowVerdict* a, const RowVerdict* b) { return a->row < b->row; });
  std::vector<PointTrials> points;
  std::map<decltype(point_key(RowVerdict{})), std::size_t> index;
  for (const RowVerdict* row : sorted) {
    const auto [found, is_new] = index.try_emplace(point_key(*row), points.size());
    if (is_new) points.push_back({.rows = {}, .context = row->context});
    PointTrials& point = points[found->second];
    if (!row->context.has_num_keys) point.context = row->context;
    point.rows.push_back(row);
  }
  return points;
}

/// Returns the values by which points are sorted. In a plot, rows of one series are then neighbours
/// in the order of n. The memory of a filter that grows follows from n.
auto place_of(const PointTrials& point) {
  const TrialRow& row = point.rows.front()->row;
  const std::uint64_t num_bits = grows(row, point.context) ? 0 : row.num_bits;
  return std::make_tuple(row.variant, param_order(row.params), row.keys, row.hash, row.probes,
                         point.context.churn, point.context.window, point.context.stream,
                         point.context.capacity, row.target_false_positive_rate,
                         point.context.bits_per_key, num_bits, row.num_inserted, row.num_hashes);
}

std::vector<PointTrials> sorted_points(const Verdict& verdict) {
  std::vector<PointTrials> points = group_by_point(verdict);
  std::vector<std::pair<decltype(place_of(points.front())), std::size_t>> places;
  for (const PointTrials& point : points) places.emplace_back(place_of(point), places.size());
  std::sort(places.begin(), places.end());
  std::vector<PointTrials> sorted;
  for (const auto& [place, i] : places) sorted.push_back(std::move(points[i]));
  return sorted;
}

SummaryRow describe(const PointTrials& point) {
  const TrialRow& row = point.rows.front()->row;
  return {.variant = row.variant,
          .keys = row.keys,
          .hash = row.hash,
          .probes = row.probes,
          .params = row.params,
          .num_inserted = row.num_inserted,
          .num_bits = row.num_bits,
          .num_counters = row.num_counters,
          .num_hashes = row.num_hashes,
          .target_false_positive_rate = row.target_false_positive_rate,
          .churn = point.context.churn,
          .window = point.context.window,
          .stream = point.context.stream,
          .capacity = point.context.capacity,
          .initial_capacity = point.context.initial_capacity,
          .max_capacity = max_capacity_in(point.context),
          .requested_bits_per_key = point.context.bits_per_key,
          .num_trials = point.rows.size()};
}

double rate_of(const TrialRow& row) {
  if (row.num_queries == 0) return 0;
  return static_cast<double>(row.num_false_positives) / static_cast<double>(row.num_queries);
}

double fill_of(const TrialRow& row) {
  return static_cast<double>(row.num_ones) /
         static_cast<double>(row.num_counters.value_or(row.num_bits));
}

/// Returns the sample standard deviation of the trials' rates, with divisor n - 1.
std::optional<double> rate_stddev(const PointTrials& point) {
  if (point.rows.size() < 2) return std::nullopt;
  double mean = 0;
  for (const RowVerdict* trial : point.rows) mean += rate_of(trial->row);
  mean /= static_cast<double>(point.rows.size());
  double squares = 0;
  for (const RowVerdict* trial : point.rows) squares += std::pow(rate_of(trial->row) - mean, 2);
  return std::sqrt(squares / static_cast<double>(point.rows.size() - 1));
}

/// Returns the interval of the rate. Given the filter, the number of false positives among distinct
/// queries is binomial. Among repeated queries it is not binomial, because one popular key causes
/// many false positives. For repeated queries, the function computes the interval of the mean from
/// the spread between trials, by Student's t.
statistics::Interval rate_interval(const PointTrials& point, const SummaryRow& summary) {
  if (!summary.keys.starts_with(kZipfPrefix)) {
    return statistics::clopper_pearson(summary.num_false_positives, summary.num_queries,
                                       kIntervalAlpha);
  }
  const std::optional<double> stddev = rate_stddev(point);
  if (!stddev || *stddev == 0) return {0, 1};  // equal rates do not show the spread
  const auto num_trials = static_cast<double>(point.rows.size());
  const double half_width = statistics::student_two_sided_quantile(num_trials - 1, kIntervalAlpha) *
                            *stddev / std::sqrt(num_trials);
  return {std::max(0.0, summary.observed_false_positive_rate - half_width),
          std::min(1.0, summary.observed_false_positive_rate + half_width)};
}

/// Adds a trial's count, which may be absent, to the sum.
void add_count(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& count) {
  if (count) sum = sum.value_or(0) + *count;
}

void add_observed(const PointTrials& point, SummaryRow& summary) {
  const auto num_trials = static_cast<double>(point.rows.size());
  for (const RowVerdict* trial : point.rows) {
    const TrialRow& row = trial->row;
    summary.num_bits = std::max(summary.num_bits, row.num_bits);
    summary.num_counters = std::max(summary.num_counters, row.num_counters);
    summary.num_queries += row.num_queries;
    summary.num_false_positives += row.num_false_positives;
    summary.num_false_negatives += row.num_false_negatives;
    add_count(summary.num_refused_inserts, row.num_refused_inserts);
    add_count(summary.num_window_queries, row.num_window_queries);
    add_count(summary.num_window_violations, row.num_window_violations);
    add_count(summary.num_expired_queries, row.num_expired_queries);
    add_count(summary.num_expired_retained, row.num_expired_retained);
    add_count(summary.num_expired_present, row.num_expired_present);
    add_count(summary.num_originals, row.num_originals);
    add_count(summary.num_originals_stopped, row.num_originals_stopped);
    add_count(summary.num_duplicates, row.num_duplicates);
    add_count(summary.num_duplicates_passed, row.num_duplicates_passed);
    add_count(summary.num_held_duplicates, row.num_held_duplicates);
    add_count(summary.num_lost_duplicates, row.num_lost_duplicates);
    summary.conditional_false_positive_rate += row.conditional_false_positive_rate / num_trials;
    summary.observed_fill_ratio += fill_of(row) / num_trials;
  }
  if (summary.num_queries > 0) {
    summary.observed_false_positive_rate =
        static_cast<double>(summary.num_false_positives) / static_cast<double>(summary.num_queries);
  }
  const statistics::Interval interval = rate_interval(point, summary);
  summary.interval_lower = interval.lower;
  summary.interval_upper = interval.upper;
  summary.observed_rate_stddev = rate_stddev(point);
}

std::optional<double> rate_named(const Prediction& prediction, std::string_view name) {
  for (const NamedRate& named : prediction.approximations) {
    if (named.name == name) return named.rate;
  }
  return std::nullopt;
}

std::string name_of_rate(const Prediction& prediction, double rate) {
  if (prediction.exact) return "exact";
  for (const NamedRate& named : prediction.approximations) {
    if (named.rate == rate) return std::string(named.name);
  }
  return "approximation";
}

/// Returns the name of the model whose rate is drawn beside the row, if the filter departs from it,
/// otherwise an empty string. The rate is that of the probe model with ideal digests. A weak hash
/// comes before the probes, as in exemption_reason() and predict().
std::string name_of_model(const SummaryRow& row) {
  if (is_weak_hash(row.hash)) return "uniform_hash";
  const SchemeInfo& scheme = find_variant(row.variant).scheme(row.probes);
  if (!scheme.follows_model) return "independent_probes";
  return scheme.why_not_exact.empty() ? "" : "independent_lanes";
}

/// Adds the expected rates. If churn, a window, a stream or refused inserts make the number of keys
/// unknown, the exact rate is also unknown. For an unknown number of keys, the function uses the
/// rate with n keys as an upper bound. A filter in a stream of items contains keys that tested
/// negative, which have set more cells than other keys, so its rate of theory is that of a model.
void add_expected(const PointTrials& point, TheoryCache& cache, SummaryRow& summary) {
  const TheoryPoint& theory_point = point.context.point;
  const Prediction& prediction = cache.prediction(theory_point);
  summary.exact_false_positive_rate = prediction.exact;
  summary.expected_false_positive_rate =
      prediction.exact
          ? *prediction.exact
          : find_theory(theory_point.variant)
                .expected_rate(theory_point.spec, theory_point.model, theory_point.num_keys);
  summary.expected_by = name_of_rate(prediction, summary.expected_false_positive_rate);
  summary.classic_false_positive_rate = rate_named(prediction, "classic");
  summary.expected_rate_stddev = prediction.rate_stddev;
  summary.expected_fill_ratio = prediction.expected_fill_ratio;
  if (const std::string model = name_of_model(summary); prediction.exact && !model.empty()) {
    summary.exact_false_positive_rate.reset();
    summary.expected_by = model;
  }
  if (point.context.has_num_keys) return;
  summary.exact_false_positive_rate.reset();
  summary.expected_rate_stddev.reset();
  summary.expected_by = point.context.stream ? "unselected_keys" : "upper_bound";
}

/// Sets `least` to the p-value if the p-value is smaller or the first one.
void lower(std::optional<double>& least, const std::optional<double>& p_value) {
  if (p_value) least = std::min(least.value_or(1), *p_value);
}

void add_verdict(const PointTrials& point, SummaryRow& summary) {
  summary.tested = true;
  for (const RowVerdict* verdict : point.rows) {
    summary.min_false_positives_p_value =
        std::min(summary.min_false_positives_p_value, verdict->false_positives_p_value.value_or(1));
    lower(summary.min_fill_p_value, verdict->fill_p_value);
    lower(summary.min_refused_inserts_p_value, verdict->refused_inserts_p_value);
    lower(summary.min_expired_p_value, verdict->expired_p_value);
    if (verdict->tested) continue;
    summary.tested = false;
    summary.exemption_reason = verdict->context.exemption_reason;
  }
}

}  // namespace

bool SummaryRow::has_growing_memory() const noexcept {
  return target_false_positive_rate || max_capacity;
}

std::optional<double> SummaryRow::bits_per_key() const noexcept {
  const std::uint64_t num_keys =
      has_growing_memory() ? num_inserted : capacity.value_or(num_inserted);
  if (num_keys == 0) return std::nullopt;
  return static_cast<double>(num_bits) / static_cast<double>(num_keys);
}

std::vector<SummaryRow> summarise(const Verdict& verdict, const Workers& workers) {
  const std::vector<PointTrials> groups = sorted_points(verdict);
  std::vector<const TheoryPoint*> points;
  for (const PointTrials& group : groups) points.push_back(&group.context.point);
  std::vector<SummaryRow> rows(groups.size());
  for_each_point(points, workers, [&](std::size_t i, TheoryCache& cache) {
    rows[i] = describe(groups[i]);
    add_observed(groups[i], rows[i]);
    add_expected(groups[i], cache, rows[i]);
    add_verdict(groups[i], rows[i]);
  });
  return rows;
}

}  // namespace bloometry
