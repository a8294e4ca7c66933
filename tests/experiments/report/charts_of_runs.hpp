#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/plan/chart_request.hpp"
#include "experiments/report/charts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

/// Charts of runs that tests make without a sweep.
namespace bloometry::test {

inline report::ChartSet charts_of(const HandMadeRun& made) {
  return report::make_charts(made.run.config, made.rows, made.verdict);
}

inline std::vector<std::string> names_of(const report::ChartSet& set) {
  std::vector<std::string> names;
  for (const chart::Chart& chart : set.charts) names.push_back(chart.name);
  return names;
}

inline chart::Chart chart_named(const report::ChartSet& set, const std::string& name) {
  const auto found = std::find_if(set.charts.begin(), set.charts.end(),
                                  [&](const chart::Chart& chart) { return chart.name == name; });
  REQUIRE(found != set.charts.end());
  return *found;
}

/// Returns the spec of the chart's views, all of which have the same one.
inline const nlohmann::json& view_spec(const chart::Chart& chart) {
  return chart.spec.contains("spec") ? chart.spec["spec"] : chart.spec;
}

/// Returns the entries of the legend of series.
inline nlohmann::json legend_of(const chart::Chart& chart) {
  return view_spec(chart)["encoding"]["color"]["scale"]["domain"];
}

inline bool has_layer(const chart::Chart& chart, const std::string& name) {
  const nlohmann::json& layers = view_spec(chart)["layer"];
  return std::any_of(layers.begin(), layers.end(),
                     [&](const nlohmann::json& layer) { return layer["name"] == name; });
}

inline const nlohmann::json& layer_of(const chart::Chart& chart, const std::string& name) {
  const nlohmann::json& layers = view_spec(chart)["layer"];
  const auto found = std::find_if(layers.begin(), layers.end(), [&](const nlohmann::json& layer) {
    return layer["name"] == name;
  });
  REQUIRE(found != layers.end());
  return *found;
}

/// Returns whether the caption contains the text.
inline bool says(const chart::Chart& chart, const std::string& text) {
  return chart.caption.find(text) != std::string::npos;
}

inline report::ChartSet requested(HandMadeRun made, const std::vector<ChartRequest>& charts) {
  made.run.config.charts = charts;
  return charts_of(made);
}

/// Returns the chart of the run that is requested.
inline chart::Chart requested_chart(const HandMadeRun& made, const ChartRequest& request) {
  return chart_named(requested(made, {request}), request.chart);
}

/// Returns a run of a standard filter of 800,000 bits without a capacity, for each n and k.
inline HandMadeRun fixed_size_run(const std::vector<std::uint64_t>& counts,
                                  const std::vector<std::uint64_t>& hashes) {
  HandMadeRun made = one_series_run();
  made.rows.clear();
  for (const std::uint64_t n : counts) {
    for (const std::uint64_t k : hashes) {
      made.rows.push_back(make_row(n, 8, k));
      made.rows.back().capacity.reset();
    }
  }
  return made;
}

/// Returns a run of streams into a filter of fixed size that is cleared after several numbers of
/// inserts, and into one without duplicates that pass.
inline HandMadeRun streamed_run() {
  HandMadeRun made = fixed_size_run({20'000}, {4});
  const SummaryRow filled = made.rows.front();
  made.rows.clear();
  for (const std::uint64_t clear_every : {100U, 1000U, 10'000U, 0U}) {
    SummaryRow row = filled;
    row.stream = ItemStream{.zipf = 1, .num_distinct = 50'000, .clear_every = clear_every};
    row.num_originals = 4000;
    row.num_originals_stopped = clear_every / 10;
    row.num_duplicates = 16'000;
    row.num_duplicates_passed = clear_every == 0 ? 0 : 160'000 / clear_every;
    row.num_held_duplicates = 100;
    row.num_lost_duplicates = 0;
    made.rows.push_back(row);
  }
  return made;
}

/// Returns a run of a filter of fixed size for each value and each of three n.
/// @param set function that changes a row according to a value
template <class Value, class Set>
HandMadeRun fixed_size_run_for_each(const std::vector<Value>& values, const Set& set) {
  HandMadeRun made = fixed_size_run({20'000, 100'000, 200'000}, {4});
  const std::vector<SummaryRow> filled = std::move(made.rows);
  made.rows.clear();
  for (const Value& value : values) {
    for (SummaryRow row : filled) {
      set(row, value);
      made.rows.push_back(std::move(row));
    }
  }
  return made;
}

/// Returns a run of a growing filter with an initial capacity of 1,000 keys. The filter is measured
/// at n from 10 to 100,000.
inline HandMadeRun growing_run() {
  HandMadeRun made = one_series_run();
  made.rows.clear();
  for (const std::uint64_t n : {0, 10, 100, 1'000, 10'000, 100'000}) {
    SummaryRow row = make_row(std::max<std::uint64_t>(n, 10), 14, 5);
    row.num_inserted = n;
    row.variant = "scalable";
    row.capacity = 1'000;
    row.initial_capacity = 1'000;
    row.target_false_positive_rate = 0.02;
    row.num_hashes.reset();
    row.exact_false_positive_rate.reset();
    row.classic_false_positive_rate.reset();
    row.expected_fill_ratio.reset();
    row.expected_by = "fluid";
    made.rows.push_back(row);
  }
  return made;
}

}  // namespace bloometry::test
