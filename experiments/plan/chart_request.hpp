#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace bloometry {

/// The chart names that the "report" of a config may contain, in the order of the charts on a page.
inline constexpr auto kChartNames = std::to_array<std::string_view>(
    {"rate_vs_bits_per_key", "pareto", "rate_vs_n_over_capacity", "rate_vs_n",
     "rate_vs_n_by_num_hashes", "memory_vs_n", "duplicates_vs_originals", "rate_vs_num_hashes",
     "ns_vs_rate", "rate_by_point", "rate_vs_theory", "excess_funnel", "p_value_qq",
     "relative_error_heatmap", "fill"});

/// The axis names that a chart's "x", "series", "facet" and "fix" may contain.
inline constexpr auto kChartAxisNames =
    std::to_array<std::string_view>({"variant",
                                     "params",
                                     "keys",
                                     "hash",
                                     "probes",
                                     "churn",
                                     "churn_rounds",
                                     "churn_erase",
                                     "churn_reinsert",
                                     "churn_wrongful_erases",
                                     "window",
                                     "window_size",
                                     "window_inserts_per_tick",
                                     "window_reinsert",
                                     "window_erase",
                                     "stream",
                                     "stream_zipf",
                                     "stream_num_distinct",
                                     "stream_insert",
                                     "stream_clear_every",
                                     "generations",
                                     "size",
                                     "num_inserted",
                                     "num_keys",
                                     "n_over_capacity",
                                     "capacity",
                                     "bits_per_key",
                                     "num_bits",
                                     "num_counters",
                                     "num_hashes",
                                     "target_false_positive_rate",
                                     "expected_false_positive_rate"});

/// Returns whether the values of an axis are numbers. Those of other axes are names.
[[nodiscard]] constexpr bool has_numbers(std::string_view axis) {
  return axis != "variant" && axis != "params" && axis != "keys" && axis != "hash" &&
         axis != "probes" && axis != "churn" && axis != "window" && axis != "stream" &&
         axis != "stream_insert" && axis != "size";
}

/// The value of "facet" that requests a single picture for any number of series.
inline constexpr std::string_view kNoFacet = "none";

/// The values that all points of a chart have, by the name of the axis. A number, the value of an
/// axis that has_numbers(), is the text that number_text() returns.
using FixedValues = std::map<std::string, std::string>;

/// A chart as requested in a config. An empty name means that the field is absent.
struct ChartRequest {
  std::string chart;
  std::string x;
  std::string facet;
  std::string series{};
  FixedValues fix{};
};

}  // namespace bloometry
