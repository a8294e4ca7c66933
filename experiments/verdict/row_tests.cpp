#include "experiments/verdict/row_tests.hpp"

#include <cmath>
#include <fmt/core.h>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/statistics/multinomial_test.hpp"
#include "core/theory/probe_count_law.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

void require(bool holds, const TrialRow& row, std::string_view rule) {
  if (holds) return;
  throw ConfigError(
      fmt::format("row of unit {} with num_inserted {}: {}", row.unit, row.num_inserted, rule));
}

void require_possible(const TrialRow& row) {
  require(row.num_false_positives <= row.num_queries, row,
          fmt::format("num_false_positives must be at most num_queries = {}, got {}",
                      row.num_queries, row.num_false_positives));
  require(row.num_false_negatives <= row.num_member_queries, row,
          fmt::format("num_false_negatives must be at most num_member_queries = {}, got {}",
                      row.num_member_queries, row.num_false_negatives));
  require(row.num_window_violations.value_or(0) <= row.num_window_queries.value_or(0), row,
          fmt::format("num_window_violations must be at most num_window_queries = {}, got {}",
                      row.num_window_queries.value_or(0), row.num_window_violations.value_or(0)));
  require(row.num_lost_duplicates.value_or(0) <= row.num_held_duplicates.value_or(0), row,
          fmt::format("num_lost_duplicates must be at most num_held_duplicates = {}, got {}",
                      row.num_held_duplicates.value_or(0), row.num_lost_duplicates.value_or(0)));
  const double rate = row.conditional_false_positive_rate;
  require(rate >= 0 && rate <= 1, row,
          "conditional_false_positive_rate must be in [0, 1], got " + to_string(ParamValue(rate)));
}

/// Returns whether the row's rate given the filter's state agrees with the counts in the row. If
/// the counts determine the rate, the row's rate must equal the rate from the variant's formula to
/// the last bit. If the counts only bound the rate, the rate must be within the bounds
/// (core/theory/theory.hpp). Returns true if the counts do not restrict the rate.
bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point) {
  const VariantTheory& theory = find_theory(point.variant);
  const FilterState counts = {.num_ones = row.num_ones, .num_passing_pairs = row.num_passing_pairs};
  const double rate = row.conditional_false_positive_rate;
  if (theory.rate_given_counts != nullptr) {
    // The formula performs the same operations as the filter, in the same order. The result of the
    // formula therefore equals the filter's rate to the last bit on any machine.
    return theory.rate_given_counts(point.spec, point.model, counts) == rate;
  }
  if (theory.rate_range_given_counts == nullptr) return true;
  const theory::RateRange range = theory.rate_range_given_counts(point.spec, point.model, counts);
  return range.least <= rate && rate <= range.most;
}

/// Returns the reason why the fill is not tested, or an empty string if the fill is tested. The law
/// of the fill assumes plain inserts of a known number of keys. Churn that erases only members
/// leaves the cells of the remaining keys (theory 3.1), provided that all counters stayed below
/// their maximum. For clamped counters, a row does not show whether a counter reached its maximum,
/// because the counter may have decreased again.
std::string fill_skipped_because(const TrialRow& row, const RowContext& context) {
  if (row.num_saturated.value_or(0) > 0) return "a counter has saturated";
  if (row.num_refused_inserts.value_or(0) > 0) return "the filter refused inserts";
  if (context.window && !context.has_num_keys) {
    return "the number of keys after the stream of a window is unknown";
  }
  if (context.stream) return "the number of keys after a stream of items is unknown";
  if (!context.churn || context.churn->rounds == 0) return {};
  if (row.num_wrongful_erases.value_or(0) > 0) return "keys were erased that were never inserted";
  if (!context.has_num_keys) return "the number of keys after the churn is unknown";
  const auto hides_saturation = find_variant(row.variant).hides_saturation;
  if (hides_saturation != nullptr && hides_saturation(context.point.spec.params)) {
    return "after a churn, clamped counters do not show whether they saturated";
  }
  return {};
}

void test_fill(RowVerdict& verdict, TheoryCache& cache) {
  const TrialRow& row = verdict.row;
  verdict.fill_skipped_because = fill_skipped_because(row, verdict.context);
  if (!verdict.fill_skipped_because.empty()) return;
  const std::optional<theory::FillLaw>& law = cache.fill_law(verdict.context.point);
  if (!law) {
    verdict.fill_skipped_because = "the law of the fill is unknown for these parameters";
    return;
  }
  verdict.fill_p_value = law->two_sided_p_value(row.num_ones);
  verdict.expected_ones = law->mean();
  verdict.expected_ones_sd = std::sqrt(law->variance());
}

/// Returns the reason why the number of refused inserts is not tested, or an empty string if it is
/// tested. The law of the refused inserts assumes plain inserts of distinct keys.
std::string refused_inserts_skipped_because(const TrialRow& row, const RowContext& context) {
  if (!find_variant(row.variant).is_limited) return std::string(kNotLimited);
  if (!row.num_refused_inserts) return "an older version wrote the row, without the column";
  if (context.churn && context.churn->rounds > 0) return "the law after a churn is unknown";
  if (context.window && !context.has_num_keys) {
    return "the law after a stream with repeated or erased keys is unknown";
  }
  return {};
}

/// Returns whether the cells and the refused inserts are more than the inserts. Every occupied cell
/// has a key of its own.
bool has_too_many_refused(const TrialRow& row) {
  return row.num_ones > row.num_inserted ||
         *row.num_refused_inserts > row.num_inserted - row.num_ones;
}

/// Returns the p-value of the number of refused inserts if only the number of different
/// fingerprints has a law. Each of them occupies a cell, or its inserts were refused. The result is
/// absent without such a law. It is also absent if no insert was refused, because the test of the
/// fill then uses the law.
std::optional<double> p_value_of_fingerprints(const TrialRow& row, const TheoryPoint& point,
                                              TheoryCache& cache) {
  if (*row.num_refused_inserts == 0) return std::nullopt;
  const std::optional<theory::FillLaw>& different = cache.fill_law(point);
  if (!different) return std::nullopt;
  return different->cdf(row.num_ones + *row.num_refused_inserts);
}

void test_refused_inserts(RowVerdict& verdict, TheoryCache& cache) {
  const TrialRow& row = verdict.row;
  verdict.refused_inserts_skipped_because = refused_inserts_skipped_because(row, verdict.context);
  if (!verdict.refused_inserts_skipped_because.empty()) return;
  TheoryPoint point = verdict.context.point;
  point.num_keys = row.num_inserted;
  const theory::RefusedInserts& refused = cache.refused_inserts(point);
  if (refused.law) {
    verdict.expected_refused_inserts = refused.law->mean();
    const std::optional<double> variance = refused.law->variance();
    if (variance) verdict.expected_refused_inserts_sd = std::sqrt(*variance);
    verdict.refused_inserts_p_value = refused.law->two_sided_p_value(*row.num_refused_inserts);
  } else {
    verdict.refused_inserts_p_value = p_value_of_fingerprints(row, point, cache);
  }
  if (has_too_many_refused(row)) {
    verdict.refused_inserts_p_value = 0;
  } else if (!verdict.refused_inserts_p_value) {
    verdict.refused_inserts_skipped_because = refused.why_unknown;
  }
}

void test_false_positives(RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  verdict.expected_false_positives =
      static_cast<double>(row.num_queries) * row.conditional_false_positive_rate;
  if (row.num_queries == 0) return;
  verdict.false_positives_p_value = statistics::binomial_two_sided_p_value(
      row.num_false_positives, row.num_queries, row.conditional_false_positive_rate);
}

/// Returns the reason why the expired keys are not tested, or an empty string if they are tested.
/// The cells must not depend on a key that the filter no longer contains. An erase leaves such a
/// dependence if it skips a saturated counter, or if the places of other keys in a table depend on
/// the erased key.
std::string expired_skipped_because(const TrialRow& row, const RowContext& context) {
  if (*row.num_expired_queries == 0) return "no key has expired";
  if (*row.num_expired_queries == *row.num_expired_retained) {
    return "the filter may contain all expired keys";
  }
  if (context.window->erase == 0) return {};
  if (row.num_saturated.value_or(0) > 0 || row.num_skipped_decrements.value_or(0) > 0) {
    return "a counter has saturated";
  }
  if (find_variant(row.variant).is_limited) {
    return "the places of keys in a table depend on erased keys";
  }
  const auto hides_saturation = find_variant(row.variant).hides_saturation;
  if (hides_saturation != nullptr && hides_saturation(context.point.spec.params)) {
    return "after erases, clamped counters do not show whether they saturated";
  }
  return {};
}

/// Tests the expired keys of which no cell is left. They test positive with the same probability as
/// absent keys, given the state of the filter.
void test_expired(RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  if (!verdict.context.window || !row.num_expired_queries) return;
  verdict.expired_skipped_because = expired_skipped_because(row, verdict.context);
  if (!verdict.expired_skipped_because.empty()) return;
  const std::uint64_t num_gone = *row.num_expired_queries - *row.num_expired_retained;
  verdict.expected_expired_present =
      static_cast<double>(num_gone) * row.conditional_false_positive_rate;
  verdict.expired_p_value = statistics::binomial_two_sided_p_value(
      *row.num_expired_present, num_gone, row.conditional_false_positive_rate);
}

std::string histogram_skipped_because(const TrialRow& row, const TheoryPoint& point) {
  if (!row.num_hashes) return "its stages have different numbers of probes";
  if (point.model == ProbeModel::kPartitioned) return "the fills of its slices are not in the row";
  if (find_theory(row.variant).rate_given_counts == nullptr) {
    return "its counts do not determine the law of its probes";
  }
  if (row.set_probe_counts.empty()) return "the probes of its queries were not counted";
  if (row.num_queries == 0) return "the row does not have queries";
  return {};
}

/// Tests the histogram of set probes. Given the state of the filter, the number of set cells among
/// the k probes of an absent key has a known law. The histogram reveals dependent probes with far
/// fewer queries than the rate.
void test_histogram(RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  const TheoryPoint& point = verdict.context.point;
  verdict.histogram_skipped_because = histogram_skipped_because(row, point);
  if (!verdict.histogram_skipped_because.empty()) return;
  const std::vector<double> law = theory::probe_count_law(
      point.model, row.num_ones, row.num_counters.value_or(row.num_bits), *point.spec.num_hashes);
  require(row.set_probe_counts.size() == law.size(), row,
          fmt::format("set_probe_counts must have num_hashes + 1 elements, got {}",
                      row.set_probe_counts.size()));
  verdict.histogram_p_value = statistics::multinomial_p_value(row.set_probe_counts, law);
  const auto total = static_cast<double>(
      std::accumulate(row.set_probe_counts.begin(), row.set_probe_counts.end(), std::uint64_t{0}));
  for (const double share : law) verdict.expected_set_probe_counts.push_back(total * share);
}

}  // namespace

RowVerdict test_row(const TrialRow& row, RowContext context, TheoryCache& cache) {
  require_possible(row);
  RowVerdict verdict{.row = row, .context = std::move(context)};
  verdict.tested = verdict.context.exemption_reason.empty();
  if (verdict.tested) verdict.agrees_with_counts = agrees_with_counts(row, verdict.context.point);
  test_false_positives(verdict);
  test_fill(verdict, cache);
  test_refused_inserts(verdict, cache);
  test_histogram(verdict);
  test_expired(verdict);
  return verdict;
}

}  // namespace bloometry
