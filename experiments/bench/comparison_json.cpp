#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/bench/bench_json.hpp"
#include "experiments/bench/compare_bench.hpp"

namespace bloometry::bench {
namespace {

using nlohmann::ordered_json;

/// Returns null for an infinite number, which JSON does not have.
ordered_json number_or_null(double number) {
  return std::isfinite(number) ? ordered_json(number) : nullptr;
}

ordered_json json_of(const RowName& name) {
  return {{"num_keys", name.num_keys}, {"keys", name.keys},
          {"name", name.target},       {"op", name.op},
          {"call", name.call},         {"num_threads", name.num_threads}};
}

ordered_json json_of(const ComparedRow& row) {
  ordered_json object = json_of(row.name);
  object["before_ns_per_key"] = row.before_ns;
  object["after_ns_per_key"] = row.after_ns;
  object["ratio"] = row.estimate.ratio;
  const bool has_interval = std::isfinite(row.estimate.interval.upper);
  object["interval_lower"] = has_interval ? ordered_json(row.estimate.interval.lower) : nullptr;
  object["interval_upper"] = number_or_null(row.estimate.interval.upper);
  object["verdict"] = name_of(row.change);
  return object;
}

template <class Items>
ordered_json list_of(const Items& items) {
  ordered_json list = ordered_json::array();
  for (const auto& item : items) list.push_back(json_of(item));
  return list;
}

ordered_json json_of(const StoredBench& bench) {
  ordered_json object = {{"file", bench.name},
                         {"started", bench.started},
                         {"version", bench.version},
                         {"git_revision", bench.git_revision}};
  for (const auto& [field, text] : bench.conditions) object[field] = text;
  return object;
}

}  // namespace

ordered_json to_json(const BenchComparison& comparison) {
  return {{"before", json_of(comparison.before)},
          {"after", json_of(comparison.after)},
          {"family_wise_error", kFamilyWiseError},
          {"row_error", comparison.row_error},
          {"intervals_from", comparison.is_by_runs ? "runs" : "repetitions"},
          {"smallest_shown_ratio", number_or_null(comparison.smallest_shown_ratio())},
          {"num_slower", comparison.count(Change::kSlower)},
          {"num_faster", comparison.count(Change::kFaster)},
          {"num_no_difference_shown", comparison.count(Change::kNotShown)},
          {"warnings", comparison.warnings},
          {"rows", list_of(comparison.rows)},
          {"floors", list_of(comparison.floors)},
          {"only_before", list_of(comparison.only_before)},
          {"only_after", list_of(comparison.only_after)}};
}

}  // namespace bloometry::bench
