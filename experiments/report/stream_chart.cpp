#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/statistics/binomial_interval.hpp"
#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

double share_of(std::uint64_t count, std::uint64_t total) {
  return total == 0 ? 0 : static_cast<double>(count) / static_cast<double>(total);
}

double stopped_share(const SummaryRow& row) {
  return share_of(row.num_originals_stopped.value_or(0), row.num_originals.value_or(0));
}

double passed_share(const SummaryRow& row) {
  return share_of(row.num_duplicates_passed.value_or(0), row.num_duplicates.value_or(0));
}

/// Returns the channel of a share on a logarithmic axis from `low` to `high`.
json share_channel(const char* field, const char* title, double low, double high) {
  constexpr double kMargin = 1.2;  // factor of the space for marks at the edges
  return chart::rate_channel(field, title, low / kMargin, std::min(1.0, high * kMargin));
}

/// Returns the memory of a filter in three digits, because slices and blocks round it.
std::string memory_text(const SummaryRow& row) {
  return fmt::format("m = {} bits",
                     text_of_number(std::round(to_digits(static_cast<double>(row.num_bits), 3))));
}

json stream_tooltip() {
  return json::parse(R"j([
    {"field": "series", "title": "filter"},
    {"field": "params", "title": "parameters"},
    {"field": "stream_clear_every", "type": "quantitative", "format": ",", "title": "cleared every"},
    {"field": "num_bits", "type": "quantitative", "format": ",", "title": "memory (bits)"},
    {"field": "k_text", "title": "hashes k"},
    {"field": "num_originals", "type": "quantitative", "format": ",", "title": "originals"},
    {"field": "num_originals_stopped", "type": "quantitative", "format": ",", "title": "originals stopped"},
    {"field": "num_duplicates", "type": "quantitative", "format": ",", "title": "duplicates"},
    {"field": "num_duplicates_passed", "type": "quantitative", "format": ",", "title": "duplicates passed"}
  ])j");
}

/// Returns the 95 % interval of the share of originals that were stopped.
statistics::Interval stopped_interval(const SummaryRow& row) {
  constexpr double kAlpha = 0.05;
  return statistics::clopper_pearson(row.num_originals_stopped.value_or(0),
                                     row.num_originals.value_or(0), kAlpha);
}

json stopped_channel(const Rows& rows) {
  double low = 1;
  double high = 0;
  for (const SummaryRow* row : rows) {
    low = std::min(low, stopped_interval(*row).lower);
    high = std::max(high, stopped_interval(*row).upper);
  }
  return share_channel("x", "originals stopped / originals", low, high);
}

json passed_channel(const Rows& rows) {
  double low = 1;
  double high = 0;
  for (const SummaryRow* row : rows) {
    low = std::min(low, passed_share(*row));
    high = std::max(high, passed_share(*row));
  }
  return share_channel("passed", "duplicates passed / duplicates", low, high);
}

json stream_view(const Rows& rows, const Labels& series, const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  json x = stopped_channel(rows);
  const json y = passed_channel(rows);
  const json lines = {{"name", "lines"}, {"mark", {{"type", "line"}}}};
  json lower = x;
  lower["field"] = "stopped_lower";
  const json intervals = {
      {"name", "stopped_interval"},
      {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.2}}},
      {"encoding", {{"x", std::move(lower)}, {"x2", {{"field", "stopped_upper"}}}}}};
  const json points = {
      {"name", "measured"},
      {"mark", {{"type", "point"}, {"filled", false}, {"opacity", 1}, {"cursor", "pointer"}}},
      {"encoding",
       {{"shape", channels["shape"]},
        {"strokeWidth", chart::picked_width()},
        {"tooltip", stream_tooltip()}}}};
  return {{"layer", {lines, intervals, points}},
          {"encoding", {{"x", std::move(x)}, {"y", y}, {"color", channels["color"]}}}};
}

/// Returns a sentence that names the variants whose filters are cleared, or an empty string.
std::string about_clearing(const Rows& rows) {
  std::set<std::string> cleared;
  for (const SummaryRow* row : rows) {
    if (row->stream->clear_every > 0) cleared.insert(row->variant);
  }
  return cleared.empty() ? ""
                         : fmt::format(" Filters of {} are cleared after a number of inserts.",
                                       joined(cleared));
}

std::vector<std::string> memories_of(const Rows& rows) {
  std::map<std::uint64_t, std::string> memories;
  for (const SummaryRow* row : rows) memories.emplace(row->num_bits, memory_text(*row));
  std::vector<std::string> texts;
  for (const auto& [num_bits, text] : memories) {
    if (texts.empty() || texts.back() != text) texts.push_back(text);
  }
  return texts;
}

}  // namespace

std::optional<Chart> duplicates_vs_originals(RowSelection selection, const ChartInput& input) {
  selection.leave_out_if(
      [](const SummaryRow& row) { return stopped_share(row) == 0 || passed_share(row) == 0; },
      "without a duplicate that passed or an original that was stopped, which a logarithmic axis "
      "cannot show");
  const Rows& kept = selection.rows();
  if (kept.size() < 2) return std::nullopt;
  constexpr std::array<std::string_view, 9> kSeries = {
      "variant",      "generations", "stream_insert", "stream_zipf", "stream_num_distinct",
      "num_inserted", "probes",      "hash",          "keys"};
  const Labels series(series_axes(kSeries, kept, input.wording), kept, input.wording);
  Chart chart{.name = "duplicates_vs_originals",
              .title = "Duplicates of a stream that pass a filter"};
  chart.caption =
      "Each mark is a filter that is asked about every item of a stream. If the filter may contain "
      "the key of the item, the item is stopped, otherwise it passes. Duplicates are the items "
      "whose key an earlier item had, originals are the others. A perfect filter stops all "
      "duplicates and passes all originals: the best filters are at the lower left. Along a line, "
      "filters of equal memory keep more and more keys. Horizontal lines are the 95 % intervals of "
      "originals stopped; most are shorter than the marks.";
  const std::vector<std::string> memories = memories_of(kept);
  if (memories.size() == 1) {
    chart.caption += fmt::format(" All filters have {}, up to rounding.", memories.front());
  }
  chart.caption += about_clearing(kept) + selection.caption();
  for (const SummaryRow* row : kept) {
    const statistics::Interval interval = stopped_interval(*row);
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"x", stopped_share(*row)},
                                       {"stopped_lower", interval.lower},
                                       {"stopped_upper", interval.upper},
                                       {"series", series.of(*row)},
                                       {"facet", memory_text(*row)},
                                       {"passed", passed_share(*row)}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, stream_view(kept, series, input), memories);
  return chart;
}

}  // namespace bloometry::report
