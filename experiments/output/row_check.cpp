#include "experiments/output/row_check.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/unit/row_columns.hpp"
#include "experiments/workload/member_sample.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

std::string text_of(const std::string& text) {
  return fmt::format("'{}'", printable(text, kMaxShownValue));
}

std::string text_of(std::uint64_t number) {
  return std::to_string(number);
}

std::string text_of(double number) {
  return shortest_text(number);
}

template <class Number>
std::string text_of(const std::optional<Number>& number) {
  return number ? text_of(*number) : "absent";
}

template <class Value>
void require_equal(const char* column, const Value& wanted, const Value& found) {
  if (wanted == found) return;
  throw ConfigError(column, fmt::format("must be {}, got {}", text_of(wanted), text_of(found)));
}

void require_at_most(const char* column, std::uint64_t found, const char* limit,
                     std::uint64_t most) {
  if (found <= most) return;
  throw ConfigError(column, fmt::format("must be at most {} = {}, got {}", limit, most, found));
}

void require_row_of_point(const TrialRow& row, const Unit& unit, const Point& point) {
  require_equal("variant", unit.variant, row.variant);
  require_equal("keys", unit.keys.name, row.keys);
  require_equal("hash", unit.hash, row.hash);
  require_equal("probes", unit.probes, row.probes);
  require_equal("params", unit.params, row.params);
  require_equal("trial", unit.trial, row.trial);
  require_equal("num_inserted", point.num_inserted, row.num_inserted);
  require_equal("num_hashes", std::uint64_t{point.num_hashes}, row.num_hashes.value_or(0));
  require_equal("num_queries", point.num_queries, row.num_queries);
  require_equal("target_false_positive_rate", unit.spec.target_false_positive_rate,
                row.target_false_positive_rate);
}

/// Returns whether keys are erased before the row is measured.
bool has_erases(const Unit& unit) {
  return unit.churn || (unit.window && unit.window->erase > 0);
}

/// Returns the geometry of the filter, or of the first stage of a filter of stages. The largest
/// number of occupied cells so far determines the size of a table that doubles on its own. Without
/// erases, it is the number in the row. With erases, it is at most the number of inserted keys.
Geometry geometry_of(const TrialRow& row, const Unit& unit, const Point& point) {
  const VariantInfo& variant = find_variant(unit.variant);
  const FilterSpec spec = point_spec(unit, point);
  std::uint64_t num_occupied = row.num_ones;
  Geometry geometry = variant.geometry_at(spec, num_occupied);
  while (has_erases(unit) && geometry.num_bits() < row.num_bits &&
         num_occupied < point.num_inserted) {
    num_occupied = std::min(std::max<std::uint64_t>(1, 2 * num_occupied), point.num_inserted);
    geometry = variant.geometry_at(spec, num_occupied);
  }
  return geometry;
}

/// Checks the number of cells. A filter of stages has at least as many cells as its first stage.
void require_cells(const TrialRow& row, const Unit& unit, const Point& point) {
  const Geometry geometry = geometry_of(row, unit, point);
  if (point.num_hashes != 0) {
    require_equal("num_bits", geometry.num_bits(), row.num_bits);
  } else if (row.num_bits < geometry.num_bits()) {
    throw ConfigError(
        "num_bits", fmt::format("must be at least {}, got {}", geometry.num_bits(), row.num_bits));
  }
  std::optional<std::uint64_t> num_counters;
  if (unit.spec.num_counters) num_counters = geometry.num_cells;  // rounded up, perhaps by k
  require_equal("num_counters", num_counters, row.num_counters);
  if (find_variant(unit.variant).is_limited) {
    require_at_most("num_ones", row.num_ones, "the number of cells", geometry.num_cells);
  }
}

void require_counts(const TrialRow& row) {
  require_at_most("num_false_positives", row.num_false_positives, "num_queries", row.num_queries);
  require_at_most("num_false_negatives", row.num_false_negatives, "num_member_queries",
                  row.num_member_queries);
  require_at_most("num_member_queries", row.num_member_queries, "num_inserted", row.num_inserted);
  require_at_most("num_ones", row.num_ones, row.num_counters ? "num_counters" : "num_bits",
                  row.num_counters.value_or(row.num_bits));
  require_at_most("num_saturated", row.num_saturated.value_or(0), "num_ones", row.num_ones);
  const double rate = row.conditional_false_positive_rate;
  if (rate >= 0 && rate <= 1) return;
  throw ConfigError("conditional_false_positive_rate",
                    "must be in [0, 1], got " + shortest_text(rate));
}

/// Checks that the histogram is possible for the row's k and number of queries. Except in rows with
/// num_passing_pairs, the number of queries with k set probes must agree with the number of
/// positives.
void require_histogram(const TrialRow& row) {
  constexpr const char* kColumn = "set_probe_counts";
  const std::vector<std::uint64_t>& counts = row.set_probe_counts;
  if (counts.empty()) return;
  require_equal("length of set_probe_counts", row.num_hashes.value_or(0) + 1,
                std::uint64_t{counts.size()});
  const std::uint64_t num_queries = std::min(row.num_queries, kMaxHistogramQueries);
  std::uint64_t left = num_queries;
  for (const std::uint64_t count : counts) {
    if (count > left) {
      throw ConfigError(kColumn, fmt::format("must add up to {}, got more", num_queries));
    }
    left -= count;
  }
  if (left != 0) {
    throw ConfigError(kColumn,
                      fmt::format("must add up to {}, got {}", num_queries, num_queries - left));
  }
  if (row.num_passing_pairs) return;  // a probe of this filter can fail on a non-zero cell
  constexpr const char* kLast = "last number of set_probe_counts";
  if (num_queries < row.num_queries) {
    require_at_most(kLast, counts.back(), "num_false_positives", row.num_false_positives);
  } else {
    require_equal(kLast, row.num_false_positives, counts.back());
  }
}

/// Checks the number of refused inserts. Without erases, the keys that were not refused occupy at
/// most one cell each, and exactly one if the filter stores copies.
void require_refused_inserts(const TrialRow& row, const Unit& unit) {
  constexpr const char* kColumn = "num_refused_inserts";
  const VariantInfo& variant = find_variant(unit.variant);
  if (!variant.is_limited) {
    require_equal(kColumn, std::optional<std::uint64_t>(), row.num_refused_inserts);
  }
  if (has_erases(unit)) return;
  const std::uint64_t num_refused = row.num_refused_inserts.value_or(0);
  require_at_most(kColumn, num_refused, "num_inserted", row.num_inserted);
  const std::uint64_t num_accepted = row.num_inserted - num_refused;
  if (variant.is_limited) {
    require_at_most("num_ones", row.num_ones, "num_inserted - num_refused_inserts", num_accepted);
  }
  if (variant.stores_copies) require_equal("num_ones", num_accepted, row.num_ones);
}

/// Checks the number of pairs of a stored fingerprint and a bucket. A fingerprint is in two
/// buckets.
void require_passing_pairs(const TrialRow& row, const Unit& unit) {
  if (!find_variant(unit.variant).stores_copies || !row.num_passing_pairs) return;
  constexpr const char* kColumn = "num_passing_pairs";
  require_at_most(kColumn, *row.num_passing_pairs, "2 num_ones", 2 * row.num_ones);
  if (*row.num_passing_pairs % 2 == 0) return;
  throw ConfigError(kColumn, fmt::format("must be even, got {}", *row.num_passing_pairs));
}

/// Checks the number of queried members, except in rows of streams that repeat or forget keys. If
/// the inserted keys are distinct and remain in the filter, it is the size of the MemberSample.
void require_members(const TrialRow& row, const Unit& unit) {
  if (unit.stream || has_erases(unit) || (unit.window && unit.window->reinsert > 0)) return;
  if (find_variant(unit.variant).can(Operation::kTick) && unit.window) return;
  const std::uint64_t num_members = row.num_inserted - row.num_refused_inserts.value_or(0);
  require_equal("num_member_queries", std::uint64_t{MemberSample(unit, num_members).size()},
                row.num_member_queries);
}

void require_erases(const TrialRow& row, const Unit& unit) {
  const auto require_absent = [&](const char* column, const std::optional<std::uint64_t>& found) {
    require_equal(column, std::optional<std::uint64_t>(), found);
  };
  if (!find_variant(unit.variant).can(Operation::kErase)) {
    require_absent("num_saturated", row.num_saturated);
    require_absent("num_refused_erases", row.num_refused_erases);
    require_absent("num_wrongful_erases", row.num_wrongful_erases);
    require_absent("num_skipped_decrements", row.num_skipped_decrements);
    return;
  }
  constexpr std::uint64_t kNone = 0;
  if (!has_erases(unit)) {
    require_equal("num_refused_erases", kNone, row.num_refused_erases.value_or(0));
    require_equal("num_skipped_decrements", kNone, row.num_skipped_decrements.value_or(0));
  }
  if (!unit.churn || unit.churn->wrongful_erases == 0) {
    require_equal("num_wrongful_erases", kNone, row.num_wrongful_erases.value_or(0));
  }
}

/// Returns the largest number of insert calls in the window after num_calls insert calls.
std::uint64_t num_calls_in_window(const StreamWindow& window, std::uint64_t num_calls) {
  const std::uint64_t of_tick = window.is_in_ticks() ? num_calls % window.inserts_per_tick : 0;
  return std::min(num_calls, window.num_inserts() + of_tick);
}

/// Checks the numbers of keys in the window and of expired keys. They follow from num_inserted if
/// no call repeats or erases a key or is refused.
void require_window_keys(const TrialRow& row, const StreamWindow& window) {
  const std::uint64_t num_accepted = row.num_inserted - row.num_refused_inserts.value_or(0);
  const std::uint64_t most = num_calls_in_window(window, row.num_inserted);
  require_at_most("num_window_queries", *row.num_window_queries, "the insert calls in the window",
                  std::min(most, num_accepted));
  const std::uint64_t most_expired = num_accepted - *row.num_window_queries;
  require_at_most("num_expired_queries", *row.num_expired_queries,
                  "num_queries and the number of keys outside the window",
                  std::min(most_expired, row.num_queries));
  const bool are_distinct = window.reinsert == 0 && window.erase == 0;
  if (!are_distinct || row.num_refused_inserts.value_or(0) > 0) return;
  require_equal("num_window_queries", most, *row.num_window_queries);
  require_equal("num_expired_queries", std::min(most_expired, row.num_queries),
                *row.num_expired_queries);
}

/// Checks that only a row of a unit with a window, or with a stream, has the count.
void require_present(const char* column, const std::optional<std::uint64_t>& found,
                     const char* what, bool unit_has) {
  if (found.has_value() == unit_has) return;
  throw ConfigError(column, fmt::format("must be {} of a unit {} a {}, got {}",
                                        unit_has ? "in a row" : "absent in a row",
                                        unit_has ? "with" : "without", what, text_of(found)));
}

/// Checks the counts of the window, which only a unit with a window has. A filter that does not
/// forget retains all expired keys that were not erased.
void require_window(const TrialRow& row, const Unit& unit) {
  for_each_window_count(row, [&](const char* column, const std::optional<std::uint64_t>& found) {
    require_present(column, found, "window", unit.window.has_value());
  });
  if (!unit.window) return;
  require_window_keys(row, *unit.window);
  require_at_most("num_window_violations", *row.num_window_violations, "num_window_queries",
                  *row.num_window_queries);
  require_at_most("num_expired_retained", *row.num_expired_retained, "num_expired_queries",
                  *row.num_expired_queries);
  require_at_most("num_expired_present", *row.num_expired_present,
                  "num_expired_queries - num_expired_retained",
                  *row.num_expired_queries - *row.num_expired_retained);
  if (find_variant(unit.variant).can(Operation::kTick) || unit.window->erase > 0) return;
  require_equal("num_expired_retained", *row.num_expired_queries, *row.num_expired_retained);
}

/// Checks the counts of the stream of items, which only a unit with a stream has.
void require_stream(const TrialRow& row, const Unit& unit) {
  for_each_stream_count(row, [&](const char* column, const std::optional<std::uint64_t>& found) {
    require_present(column, found, "stream", unit.stream.has_value());
  });
  if (!unit.stream) return;
  require_at_most("num_originals", *row.num_originals, "num_inserted and the keys of the stream",
                  std::min(row.num_inserted, unit.stream->num_distinct));
  require_equal("num_duplicates", row.num_inserted - *row.num_originals, *row.num_duplicates);
  require_at_most("num_originals_stopped", *row.num_originals_stopped, "num_originals",
                  *row.num_originals);
  require_at_most("num_duplicates_passed", *row.num_duplicates_passed, "num_duplicates",
                  *row.num_duplicates);
  require_at_most("num_held_duplicates", *row.num_held_duplicates, "num_duplicates",
                  *row.num_duplicates);
  require_at_most("num_lost_duplicates", *row.num_lost_duplicates,
                  "num_held_duplicates and num_duplicates_passed",
                  std::min(*row.num_held_duplicates, *row.num_duplicates_passed));
}

}  // namespace

void require_rows_of(const Unit& unit, const std::vector<TrialRow>& rows) {
  if (rows.size() != unit.points.size()) {
    throw ConfigError(
        fmt::format("unit {} must have {} rows, got {}", unit.id, unit.points.size(), rows.size()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    try {
      require_row_of_point(rows[i], unit, unit.points[i]);
      require_cells(rows[i], unit, unit.points[i]);
      require_counts(rows[i]);
      require_histogram(rows[i]);
      require_refused_inserts(rows[i], unit);
      require_passing_pairs(rows[i], unit);
      require_members(rows[i], unit);
      require_erases(rows[i], unit);
      require_window(rows[i], unit);
      require_stream(rows[i], unit);
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("row {} of unit {}: {}", i + 1, unit.id, error.what()));
    }
  }
}

}  // namespace bloometry
