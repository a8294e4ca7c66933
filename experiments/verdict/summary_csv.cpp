#include <algorithm>
#include <string>
#include <string_view>

#include "experiments/output/csv.hpp"
#include "experiments/unit/row_columns.hpp"
#include "experiments/verdict/summary.hpp"

namespace bloometry {
namespace {

/// Calls visit(name, value) for every column, in the order of SummaryRow. The function determines
/// both the header and the lines of the table, so that the header always matches the lines.
/// @param has_window whether any row of the table has a window
/// @param has_stream whether any row of the table has a stream of items
template <class Visit>
void for_each_column(const SummaryRow& row, bool has_window, bool has_stream, Visit visit) {
  visit("variant", row.variant);
  visit("keys", row.keys);
  visit("hash", row.hash);
  visit("probes", row.probes);
  visit("params", row.params);
  visit("num_inserted", row.num_inserted);
  visit("num_bits", row.num_bits);
  visit("num_counters", row.num_counters);
  visit("num_hashes", row.num_hashes);
  visit("target_false_positive_rate", row.target_false_positive_rate);
  for_each_churn_column(row.churn, visit);
  if (has_window) for_each_window_column(row.window, visit);
  if (has_stream) for_each_stream_column(row.stream, visit);
  visit("capacity", row.capacity);
  visit("initial_capacity", row.initial_capacity);
  visit("bits_per_key", row.bits_per_key());
  visit("requested_bits_per_key", row.requested_bits_per_key);
  visit("num_trials", row.num_trials);
  visit("num_queries", row.num_queries);
  visit("num_false_positives", row.num_false_positives);
  visit("num_false_negatives", row.num_false_negatives);
  visit("num_refused_inserts", row.num_refused_inserts);
  if (has_window) for_each_window_count(row, visit);
  if (has_stream) for_each_stream_count(row, visit);
  visit("observed_false_positive_rate", row.observed_false_positive_rate);
  visit("interval_lower", row.interval_lower);
  visit("interval_upper", row.interval_upper);
  visit("observed_rate_stddev", row.observed_rate_stddev);
  visit("exact_false_positive_rate", row.exact_false_positive_rate);
  visit("expected_false_positive_rate", row.expected_false_positive_rate);
  visit("expected_by", row.expected_by);
  visit("classic_false_positive_rate", row.classic_false_positive_rate);
  visit("expected_rate_stddev", row.expected_rate_stddev);
  visit("conditional_false_positive_rate", row.conditional_false_positive_rate);
  visit("expected_fill_ratio", row.expected_fill_ratio);
  visit("observed_fill_ratio", row.observed_fill_ratio);
  visit("tested", std::string_view(row.tested ? "true" : "false"));
  visit("exemption_reason", row.exemption_reason);
  visit("min_false_positives_p_value", row.min_false_positives_p_value);
  visit("min_fill_p_value", row.min_fill_p_value);
  visit("min_refused_inserts_p_value", row.min_refused_inserts_p_value);
  if (has_window) visit("min_expired_p_value", row.min_expired_p_value);
}

}  // namespace

std::string summary_csv(std::span<const SummaryRow> rows) {
  const bool has_window = std::any_of(rows.begin(), rows.end(),
                                      [](const SummaryRow& row) { return row.window.has_value(); });
  const bool has_stream = std::any_of(rows.begin(), rows.end(),
                                      [](const SummaryRow& row) { return row.stream.has_value(); });
  return csv_table(rows, [has_window, has_stream](const SummaryRow& row, auto visit) {
    for_each_column(row, has_window, has_stream, visit);
  });
}

}  // namespace bloometry
