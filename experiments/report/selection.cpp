#include "experiments/report/selection.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <set>
#include <tuple>

#include "core/statistics/significance.hpp"
#include "core/text.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry::report {
namespace {

constexpr std::size_t kLeastValues = 3;  // fewer values do not form a curve
constexpr double kVisible = 0.01;        // as a share of the axis: 3 or 4 pixels
constexpr double kIdleBound = 10;        // upper bound divided by the expected rate

/// The values that all rows of one filter share, whatever n is. If the config gives m/n without a
/// capacity, each n has its own filter, and these filters share the label of the size.
using FilterKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                             std::optional<Churn>, std::optional<StreamWindow>,
                             std::optional<ItemStream>, std::string, std::uint64_t>;

FilterKey filter_key(const SummaryRow& row, const Wording& wording) {
  return {row.variant, row.params, row.keys,   row.hash,          row.probes,
          row.churn,   row.window, row.stream, wording.size(row), row.capacity.value_or(0)};
}

/// Returns the distance between a row's n and the n at which filters are compared. Filters with a
/// capacity are compared at n = capacity, and other filters at their largest n.
double distance(const SummaryRow& row) {
  const double n = static_cast<double>(row.num_inserted);
  if (!row.capacity) return -n;
  return std::abs(std::log((n + 0.5) / (static_cast<double>(*row.capacity) + 0.5)));
}

/// Returns the smallest distance among the rows of each filter.
std::map<FilterKey, double> least_distances(const Rows& rows, const Wording& wording) {
  std::map<FilterKey, double> least;
  for (const SummaryRow* row : rows) {
    const auto [found, is_new] = least.try_emplace(filter_key(*row, wording), distance(*row));
    if (!is_new) found->second = std::min(found->second, distance(*row));
  }
  return least;
}

template <class Predicate>
Rows keep(const Rows& rows, const Predicate& predicate) {
  Rows kept;
  for (const SummaryRow* row : rows) {
    if (predicate(*row)) kept.push_back(row);
  }
  return kept;
}

}  // namespace

Rows all_rows(std::span<const SummaryRow> rows) {
  Rows all;
  all.reserve(rows.size());
  for (const SummaryRow& row : rows) all.push_back(&row);
  return all;
}

Rows at_capacity(const Rows& rows, const Wording& wording) {
  const std::map<FilterKey, double> least = least_distances(rows, wording);
  const auto is_nearest = [&](const SummaryRow& row) {
    return distance(row) <= least.at(filter_key(row, wording));
  };
  std::set<std::uint64_t> met;  // n at which rows with a capacity are compared
  for (const SummaryRow* row : rows) {
    if (row->capacity && is_nearest(*row)) met.insert(row->num_inserted);
  }
  return keep(rows, [&](const SummaryRow& row) {
    if (row.capacity) return is_nearest(row);
    return met.empty() || met.contains(row.num_inserted);
  });
}

namespace {

using Candidate = std::pair<double, std::uint64_t>;  // expected rate and k

/// Returns the k of the row with the lowest expected rate for each key of a row. Rows for which the
/// predicate is false are ignored.
template <class KeyOf, class Predicate>
auto best_num_hashes(const Rows& rows, const KeyOf& key_of, const Predicate& predicate) {
  std::map<decltype(key_of(*rows.front())), Candidate> best;
  for (const SummaryRow* row : rows) {
    if (!row->num_hashes || !predicate(*row)) continue;
    const Candidate candidate{row->expected_false_positive_rate, *row->num_hashes};
    const auto [found, is_new] = best.try_emplace(key_of(*row), candidate);
    if (!is_new) found->second = std::min(found->second, candidate);
  }
  return best;
}

/// Returns the best k of each filter.
std::map<FilterKey, Candidate> best_of_filters(const Rows& rows, const Wording& wording) {
  const std::map<FilterKey, double> least = least_distances(rows, wording);
  const auto key_of = [&](const SummaryRow& row) { return filter_key(row, wording); };
  return best_num_hashes(
      rows, key_of, [&](const SummaryRow& row) { return distance(row) <= least.at(key_of(row)); });
}

/// Returns whether theory predicts the spread of the row's rate.
bool has_known_chance(const SummaryRow& row) {
  return row.tested && row.expected_rate_stddev && row.num_trials > 0 && row.num_queries > 0 &&
         !has_repeated_queries(row);
}

/// Returns the variance of the rate between filters.
double filter_variance(const SummaryRow& row) {
  return *row.expected_rate_stddev * *row.expected_rate_stddev;
}

/// Returns the range of 95 % of rates around a mean.
Band band_around(double mean, double variance) {
  const double half_width = statistics::two_sided_z(0.05) * std::sqrt(variance);
  return {.lower = std::max(0.0, mean - half_width), .upper = std::min(1.0, mean + half_width)};
}

}  // namespace

Rows at_best_num_hashes(const Rows& rows, const Wording& wording) {
  const std::map<FilterKey, Candidate> best = best_of_filters(rows, wording);
  const auto has_best = [&](const SummaryRow& row) {
    const auto found = best.find(filter_key(row, wording));
    return found != best.end() && found->second.second == *row.num_hashes;
  };
  const auto key_with_n = [&](const SummaryRow& row) {
    return std::pair(filter_key(row, wording), row.num_inserted);
  };
  std::set<std::pair<FilterKey, std::uint64_t>> with_best;
  for (const SummaryRow* row : rows) {
    if (row->num_hashes && has_best(*row)) with_best.insert(key_with_n(*row));
  }
  const auto stand_ins = best_num_hashes(rows, key_with_n, [&](const SummaryRow& row) {
    return !with_best.contains(key_with_n(row));
  });
  return keep(rows, [&](const SummaryRow& row) {
    if (!row.num_hashes || has_best(row)) return true;
    const auto found = stand_ins.find(key_with_n(row));
    return found != stand_ins.end() && found->second.second == *row.num_hashes;
  });
}

std::set<const SummaryRow*> at_other_num_hashes(const Rows& rows, const Wording& wording) {
  const std::map<FilterKey, Candidate> best = best_of_filters(rows, wording);
  std::set<const SummaryRow*> others;
  for (const SummaryRow* row : rows) {
    if (!row->num_hashes) continue;
    const auto found = best.find(filter_key(*row, wording));
    if (found != best.end() && found->second.second != *row->num_hashes) others.insert(row);
  }
  return others;
}

Rows at_most_keys(const Rows& rows, const Axis& x, std::span<const Axis* const> kinds,
                  const Wording& wording) {
  std::map<std::string, std::map<std::uint64_t, std::set<double>>> values;  // x by kind and n
  for (const SummaryRow* row : rows) {
    std::set<double>& of_n = values[joined_label(kinds, *row, wording)][row->num_inserted];
    if (const std::optional<double> value = x.value(*row)) of_n.insert(*value);
  }
  std::map<std::string, std::uint64_t> chosen;
  for (const auto& [kind, of_kind] : values) {
    const auto has_curve = [](const auto& of_n) { return of_n.second.size() >= kLeastValues; };
    const auto found = std::find_if(of_kind.rbegin(), of_kind.rend(), has_curve);
    chosen[kind] = (found == of_kind.rend() ? of_kind.rbegin() : found)->first;
  }
  Rows kept;
  for (const SummaryRow* row : rows) {
    if (chosen[joined_label(kinds, *row, wording)] == row->num_inserted) kept.push_back(row);
  }
  return kept;
}

double drawn_rate(const SummaryRow& row) {
  return row.num_false_positives > 0 ? row.observed_false_positive_rate : row.interval_upper;
}

double least_drawn_rate(const SummaryRow& row) {
  const bool has_lower_end = row.num_false_positives > 0 && row.interval_lower > 0;
  return has_lower_end ? row.interval_lower : drawn_rate(row);
}

std::optional<Band> band_of_rates(const SummaryRow& row) {
  if (!has_known_chance(row)) return std::nullopt;
  const double rate = row.expected_false_positive_rate;
  const double of_queries = std::max(0.0, rate * (1 - rate) - filter_variance(row)) /
                            static_cast<double>(row.num_queries);
  const double of_filters = filter_variance(row) / static_cast<double>(row.num_trials);
  return band_around(rate, of_filters + of_queries);
}

bool has_visible_band(const Rows& rows, double low, double high) {
  return std::any_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    if (!has_known_chance(*row)) return false;
    const auto [lower, upper] =
        band_around(row->expected_false_positive_rate,
                    filter_variance(*row) / static_cast<double>(row->num_trials));
    return upper > low && std::log(upper / std::max(lower, low)) > kVisible * std::log(high / low);
  });
}

bool has_repeated_queries(const SummaryRow& row) {
  return row.keys.starts_with(kZipfPrefix);
}

std::string about_repeated_queries(const Rows& rows) {
  const auto is_any = [&](auto predicate) {
    return std::any_of(rows.begin(), rows.end(), predicate);
  };
  if (!is_any([](const SummaryRow* row) { return has_repeated_queries(*row); })) return "";
  const bool has_single = is_any(
      [](const SummaryRow* row) { return has_repeated_queries(*row) && row->num_trials == 1; });
  return std::string(
             " The interval of Zipf queries (Student's t) shows only the spread between the trials "
             "of "
             "this run and is often too narrow, because a few popular keys decide the rate of a "
             "filter") +
         (has_single ? "; one trial shows no spread, so that its interval is 0 to 1." : ".");
}

bool has_only_bound(const SummaryRow& row) {
  return !row.exact_false_positive_rate && row.expected_by.ends_with("bound");
}

bool has_idle_bound(const SummaryRow& row) {
  return row.num_false_positives == 0 &&
         row.interval_upper > kIdleBound * row.expected_false_positive_rate;
}

void leave_out_zero_rates(RowSelection& selection) {
  selection.leave_out_if(
      [](const SummaryRow& row) { return !(row.expected_false_positive_rate > 0); },
      kZeroRateReason);
}

}  // namespace bloometry::report
