#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/trial/run_unit.hpp"

namespace bloometry::test {

/// A config of a few small units: 3 sizes and `trials` trials, 2 points each.
inline Config small_config(const std::string& name = "small", std::uint64_t trials = 2) {
  return config_from_json({{"name", name},
                           {"trials", trials},
                           {"queries", 1000},
                           {"grids",
                            {{{"variant", "counting"},
                              {"num_keys", {10, 20}},
                              {"num_counters", {64, 128, 256}},
                              {"num_hashes", 2}}}}});
}

/// What a run of the unit could give, made up: enough for files, which do not look at counts.
inline UnitResult made_up_result(const Unit& unit) {
  UnitResult result;
  result.timing = {.unit = unit.id, .engine = "direct", .num_points = unit.points.size()};
  result.timing.total_s = 0.1;
  for (const Point& point : unit.points) {
    TrialRow row;
    row.unit = unit.id;
    row.variant = unit.variant;
    row.keys = unit.keys.name;
    row.hash = unit.hash;
    row.probes = unit.probes;
    row.params = unit.params;
    row.trial = unit.trial;
    row.num_inserted = point.num_inserted;
    row.num_member_queries = point.num_inserted;  // small enough to be asked whole
    row.num_counters = unit.spec.num_counters;
    row.num_bits = unit.spec.num_counters.value_or(0) * 4;
    row.num_hashes = point.num_hashes;
    row.num_queries = point.num_queries;
    row.num_false_positives = point.num_inserted * 7;
    row.num_saturated = 0;
    row.conditional_false_positive_rate = 0.1 * static_cast<double>(point.num_inserted) / 3;
    result.rows.push_back(row);
  }
  return result;
}

}  // namespace bloometry::test
