#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// Calls visit(name, member) for each column of trials.csv that every run has, in order. The type
/// Row is TrialRow or const TrialRow.
template <class Row, class Visit>
void for_each_row_column(Row& row, Visit&& visit) {
  visit("unit", row.unit);
  visit("variant", row.variant);
  visit("keys", row.keys);
  visit("hash", row.hash);
  visit("probes", row.probes);
  visit("params", row.params);
  visit("trial", row.trial);
  visit("num_inserted", row.num_inserted);
  visit("num_bits", row.num_bits);
  visit("num_counters", row.num_counters);
  visit("num_hashes", row.num_hashes);
  visit("target_false_positive_rate", row.target_false_positive_rate);
  visit("num_queries", row.num_queries);
  visit("num_false_positives", row.num_false_positives);
  visit("num_member_queries", row.num_member_queries);
  visit("num_false_negatives", row.num_false_negatives);
  visit("num_ones", row.num_ones);
  visit("num_passing_pairs", row.num_passing_pairs);
  visit("num_stored", row.num_stored);
  visit("num_stages", row.num_stages);
  visit("num_saturated", row.num_saturated);
  visit("num_refused_inserts", row.num_refused_inserts);
  visit("num_refused_erases", row.num_refused_erases);
  visit("num_wrongful_erases", row.num_wrongful_erases);
  visit("num_skipped_decrements", row.num_skipped_decrements);
  visit("conditional_false_positive_rate", row.conditional_false_positive_rate);
}

/// Calls visit(name, member) for each column of trials.csv that only runs with windows have, in
/// order. These columns are the last ones.
template <class Row, class Visit>
void for_each_window_count(Row& row, Visit&& visit) {
  visit("num_window_queries", row.num_window_queries);
  visit("num_window_violations", row.num_window_violations);
  visit("num_expired_queries", row.num_expired_queries);
  visit("num_expired_retained", row.num_expired_retained);
  visit("num_expired_present", row.num_expired_present);
}

/// Calls visit(name, member) for each column of trials.csv that only runs with streams of items
/// have, in order. These columns come after all others.
template <class Row, class Visit>
void for_each_stream_count(Row& row, Visit&& visit) {
  visit("num_originals", row.num_originals);
  visit("num_originals_stopped", row.num_originals_stopped);
  visit("num_duplicates", row.num_duplicates);
  visit("num_duplicates_passed", row.num_duplicates_passed);
  visit("num_held_duplicates", row.num_held_duplicates);
  visit("num_lost_duplicates", row.num_lost_duplicates);
}

/// Calls visit(name, member) for each column of a row, in order. A row in parts/ consists of these
/// columns and the histogram.
template <class Row, class Visit>
void for_each_count(Row& row, Visit&& visit) {
  for_each_row_column(row, visit);
  for_each_window_count(row, visit);
  for_each_stream_count(row, visit);
}

/// Calls visit(name, member) for each column of timings.csv, in order.
template <class Timing, class Visit>
void for_each_timing_column(Timing& timing, Visit&& visit) {
  visit("unit", timing.unit);
  visit("engine", timing.engine);
  visit("num_points", timing.num_points);
  visit("num_key_operations", timing.num_key_operations);
  visit("hash_s", timing.hash_s);
  visit("insert_s", timing.insert_s);
  visit("query_s", timing.query_s);
  visit("check_s", timing.check_s);
  visit("total_s", timing.total_s);
}

/// Calls visit(name, value) for each column with the churn of a point, in order. Without churn, all
/// values are 0.
template <class Visit>
void for_each_churn_column(const std::optional<Churn>& churn, Visit&& visit) {
  const Churn values = churn.value_or(Churn());
  visit("churn_rounds", values.rounds);
  visit("churn_erase", values.erase);
  visit("churn_reinsert", values.reinsert);
  visit("churn_wrongful_erases", values.wrongful_erases);
}

/// Calls visit(name, value) for each column with the window of a point, in order. Without a window,
/// all numbers are 0, and the unit is empty.
template <class Visit>
void for_each_window_column(const std::optional<StreamWindow>& window, Visit&& visit) {
  const StreamWindow values = window.value_or(StreamWindow());
  visit("window_size", values.size);
  visit("window_unit", window ? values.unit() : std::string_view());
  visit("window_inserts_per_tick", values.inserts_per_tick);
  visit("window_reinsert", values.reinsert);
  visit("window_erase", values.erase);
}

/// Calls visit(name, value) for each column with the stream of a point, in order. Without a stream,
/// all numbers are 0, and the rule of inserts is empty.
template <class Visit>
void for_each_stream_column(const std::optional<ItemStream>& stream, Visit&& visit) {
  const ItemStream values = stream.value_or(ItemStream());
  visit("stream_zipf", values.zipf);
  visit("stream_num_distinct", values.num_distinct);
  visit("stream_insert", stream ? values.insert_name() : std::string_view());
  visit("stream_clear_every", values.clear_every);
}

}  // namespace bloometry
