#include "experiments/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "core/statistics/significance.hpp"
#include "core/text.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/verdict/row_tests.hpp"
#include "experiments/verdict/value_text.hpp"

namespace bloometry {
namespace {

bool has_gating_false_negatives(const TrialRow& row) {
  return row.num_false_negatives > 0 && row.num_wrongful_erases.value_or(0) == 0;
}

std::string false_positives_reason(const RowVerdict& verdict) {
  return fmt::format(
      "false positives: {} of {} tested positive, expected {} given the filter's own state ({})",
      grouped(verdict.row.num_false_positives), plural(verdict.row.num_queries, "absent key"),
      expected_text(verdict.expected_false_positives),
      p_value_relation(*verdict.false_positives_p_value));
}

std::string fill_reason(const RowVerdict& verdict) {
  return fmt::format(
      "fill: {} cells are not zero, expected {} +- {} ({})", grouped(verdict.row.num_ones),
      to_spread(*verdict.expected_ones, *verdict.expected_ones_sd),
      grouped_real(*verdict.expected_ones_sd, 3), p_value_relation(*verdict.fill_p_value));
}

std::string histogram_reason(const RowVerdict& verdict) {
  std::string observed;
  std::string expected;
  for (std::size_t s = 0; s < verdict.expected_set_probe_counts.size(); ++s) {
    observed.append(" ").append(grouped(verdict.row.set_probe_counts[s]));
    expected.append(" ").append(expected_text(verdict.expected_set_probe_counts[s]));
  }
  return fmt::format(
      "histogram: absent keys with 0, 1, ... of their probes on cells that are not zero are{}; "
      "expected{} given the filter's own state ({})",
      observed, expected, p_value_relation(*verdict.histogram_p_value));
}

std::string expected_refused_inserts_text(const RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  if (row.num_ones > row.num_inserted - *row.num_refused_inserts) {
    return fmt::format("but {} cells are occupied, each by a key of its own",
                       grouped(row.num_ones));
  }
  if (!verdict.expected_refused_inserts) {
    return fmt::format(
        "and {} cells are occupied, but the keys have more different fingerprints than that",
        grouped(row.num_ones));
  }
  if (!verdict.expected_refused_inserts_sd) {
    return fmt::format("a filter within its capacity refuses any with a probability of at most {}",
                       rounded(*verdict.expected_refused_inserts, 3));
  }
  return fmt::format(
      "expected {} +- {}",
      to_spread(*verdict.expected_refused_inserts, *verdict.expected_refused_inserts_sd),
      grouped_real(*verdict.expected_refused_inserts_sd, 3));
}

std::string refused_inserts_reason(const RowVerdict& verdict) {
  return fmt::format("refused inserts: {} of {}, {} ({})",
                     grouped(*verdict.row.num_refused_inserts), grouped(verdict.row.num_inserted),
                     expected_refused_inserts_text(verdict),
                     p_value_relation(*verdict.refused_inserts_p_value));
}

std::string expired_reason(const RowVerdict& verdict) {
  const std::uint64_t num_gone =
      *verdict.row.num_expired_queries - *verdict.row.num_expired_retained;
  return fmt::format(
      "expired keys: {} of {} tested positive, expected {} given the filter's own state ({})",
      grouped(*verdict.row.num_expired_present), plural(num_gone, "expired key"),
      expected_text(*verdict.expected_expired_present), p_value_relation(*verdict.expired_p_value));
}

void add_test_reasons(const RowVerdict& verdict, double threshold,
                      std::vector<std::string>& reasons) {
  if (!verdict.tested) return;
  if (!verdict.agrees_with_counts) {
    reasons.push_back(fmt::format(
        "conditional_false_positive_rate {} differs from the rate that the row's own counts give",
        rounded(verdict.row.conditional_false_positive_rate, 4)));
  }
  if (verdict.false_positives_p_value && *verdict.false_positives_p_value < threshold)
    reasons.push_back(false_positives_reason(verdict));
  if (verdict.fill_p_value && *verdict.fill_p_value < threshold)
    reasons.push_back(fill_reason(verdict));
  if (verdict.histogram_p_value && *verdict.histogram_p_value < threshold) {
    reasons.push_back(histogram_reason(verdict));
  }
  if (verdict.refused_inserts_p_value && *verdict.refused_inserts_p_value < threshold) {
    reasons.push_back(refused_inserts_reason(verdict));
  }
  if (verdict.expired_p_value && *verdict.expired_p_value < threshold)
    reasons.push_back(expired_reason(verdict));
}

void decide(RowVerdict& verdict, double threshold) {
  std::vector<std::string> reasons;
  if (has_gating_false_negatives(verdict.row)) {
    reasons.push_back(fmt::format("{} among {} queried",
                                  plural(verdict.row.num_false_negatives, "false negative"),
                                  plural(verdict.row.num_member_queries, "member")));
  }
  if (verdict.row.num_window_violations.value_or(0) > 0) {
    reasons.push_back(fmt::format("{} among {} in the window",
                                  plural(*verdict.row.num_window_violations, "window violation"),
                                  plural(*verdict.row.num_window_queries, "key")));
  }
  if (verdict.row.num_lost_duplicates.value_or(0) > 0) {
    reasons.push_back(fmt::format("{} of {} that the filter holds passed",
                                  plural(*verdict.row.num_lost_duplicates, "duplicate"),
                                  grouped(*verdict.row.num_held_duplicates)));
  }
  add_test_reasons(verdict, threshold, reasons);
  verdict.deviates = !reasons.empty();
  verdict.why = joined(reasons, {}, "; ");
}

double smallest_p_value(const RowVerdict& verdict) {
  return std::min({verdict.false_positives_p_value.value_or(1), verdict.fill_p_value.value_or(1),
                   verdict.histogram_p_value.value_or(1),
                   verdict.refused_inserts_p_value.value_or(1),
                   verdict.expired_p_value.value_or(1)});
}

/// Returns whether a is worse than b. Deviations are worse than other rows, tested rows are worse
/// than exempt rows, and small p-values are worse than large p-values. Rows with equal p-values are
/// ordered by their columns, so that the order is unique.
bool is_worse(const RowVerdict& a, const RowVerdict& b) {
  const auto rank = [](const RowVerdict& v) {
    return std::make_tuple(!v.deviates, !v.tested, smallest_p_value(v));
  };
  const auto rank_a = rank(a);
  const auto rank_b = rank(b);
  return rank_a != rank_b ? rank_a < rank_b : a.row < b.row;
}

void count(Verdict& verdict, const RowVerdict& row) {
  if (has_gating_false_negatives(row.row)) {
    verdict.num_false_negatives += row.row.num_false_negatives;
  }
  verdict.num_window_violations += row.row.num_window_violations.value_or(0);
  verdict.num_lost_duplicates += row.row.num_lost_duplicates.value_or(0);
  if (!row.tested) {
    ++verdict.exempt[row.context.exemption_reason];
    return;
  }
  ++verdict.num_tested_rows;
  verdict.num_tests += (row.false_positives_p_value ? 1U : 0U) + (row.fill_p_value ? 1U : 0U) +
                       (row.histogram_p_value ? 1U : 0U) + (row.refused_inserts_p_value ? 1U : 0U) +
                       (row.expired_p_value ? 1U : 0U);
}

/// Returns a verdict for each row of the run, in the order of the rows. tested_rows() does not
/// determine which rows deviate.
std::vector<RowVerdict> tested_rows(const RunData& run, const Workers& workers) {
  std::unordered_map<std::string_view, const Unit*> units;
  for (const Unit& unit : run.units) units.emplace(unit.id, &unit);
  std::vector<RowVerdict> rows;
  rows.reserve(run.rows.size());
  std::vector<const TheoryPoint*> points;
  for (const TrialRow& row : run.rows) {
    rows.push_back({.row = row, .context = row_context(*units.at(row.unit), row)});
    points.push_back(&rows.back().context.point);
  }
  for_each_point(points, workers, [&](std::size_t i, TheoryCache& cache) {
    rows[i] = test_row(rows[i].row, std::move(rows[i].context), cache);
  });
  return rows;
}

/// Combines the rows for which only the odds of any refused insert are known. One filter that
/// refuses an insert is not a deviation, but several are. Filters with keys of their own (another
/// trial, key source or hash) are independent. The probability that r sets of keys have filters
/// with refused inserts is at most e^r/r!, where e is the expected number of such filters.
void combine_odds(std::vector<RowVerdict>& rows) {
  using KeySet = std::tuple<std::string_view, std::string_view, std::uint64_t>;
  std::set<KeySet> refusing;
  double expected = 0;
  std::vector<RowVerdict*> refused;
  for (RowVerdict& row : rows) {
    const bool has_odds = row.expected_refused_inserts && !row.expected_refused_inserts_sd;
    if (!has_odds || !row.tested) continue;
    expected += *row.expected_refused_inserts;
    if (*row.row.num_refused_inserts == 0) continue;
    refused.push_back(&row);
    refusing.emplace(row.row.keys, row.row.hash, row.row.trial);
  }
  if (refused.empty()) return;
  const auto num_sets = static_cast<double>(refusing.size());
  const double p_value = std::exp(num_sets * std::log(expected) - std::lgamma(num_sets + 1));
  for (RowVerdict* row : refused) {
    const bool is_impossible = *row->refused_inserts_p_value == 0;
    row->refused_inserts_p_value = is_impossible ? 0 : std::min(1.0, p_value);
  }
}

}  // namespace

Verdict judge(const RunData& run, double false_alarm, const Workers& workers) {
  if (!(false_alarm > 0 && false_alarm < 1)) {
    throw ConfigError("false_alarm must be in (0, 1), got " + rounded(false_alarm, 6));
  }
  Verdict verdict{.false_alarm = false_alarm,
                  .num_missing_units = run.num_units - run.num_finished_units};
  verdict.rows = tested_rows(run, workers);
  combine_odds(verdict.rows);
  for (const RowVerdict& row : verdict.rows) count(verdict, row);
  if (verdict.num_tests > 0) {
    verdict.threshold = statistics::bonferroni_threshold(false_alarm, verdict.num_tests);
  }
  for (RowVerdict& row : verdict.rows) {
    decide(row, verdict.threshold);
    verdict.num_deviations += row.deviates ? 1U : 0U;
  }
  std::sort(verdict.rows.begin(), verdict.rows.end(), is_worse);
  return verdict;
}

}  // namespace bloometry
