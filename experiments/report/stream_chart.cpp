#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <optional>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"

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

json share_channel(const char* field, const char* title) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", "log"}, {"nice", false}, {"padding", 12}}},
          {"axis", {{"format", "~%"}, {"tickCount", 6}}}};
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

json stream_view(const Labels& series, const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  const json lines = {{"name", "lines"}, {"mark", {{"type", "line"}}}};
  const json points = {
      {"name", "measured"},
      {"mark", {{"type", "point"}, {"filled", false}, {"opacity", 1}, {"cursor", "pointer"}}},
      {"encoding",
       {{"shape", channels["shape"]},
        {"strokeWidth", chart::picked_width()},
        {"tooltip", stream_tooltip()}}}};
  return {{"layer", {lines, points}},
          {"encoding",
           {{"x", share_channel("x", "originals stopped / originals")},
            {"y", share_channel("passed", "duplicates passed / duplicates")},
            {"color", channels["color"]}}}};
}

}  // namespace

std::optional<Chart> duplicates_vs_originals(RowSelection selection, const ChartInput& input) {
  selection.leave_out_if(
      [](const SummaryRow& row) { return stopped_share(row) == 0 || passed_share(row) == 0; },
      "without a duplicate that passed or an original that was stopped, which a logarithmic axis "
      "cannot show");
  const Rows& kept = selection.rows();
  if (kept.size() < 2) return std::nullopt;
  constexpr std::array<std::string_view, 10> kSeries = {
      "variant",      "generations", "stream_insert", "stream_zipf", "stream_num_distinct",
      "num_inserted", "num_bits",    "probes",        "hash",        "keys"};
  const Labels series(series_axes(kSeries, kept, input.wording), kept, input.wording);
  Chart chart{.name = "duplicates_vs_originals",
              .title = "Duplicates of a stream that pass a filter"};
  chart.caption =
      "A mark is a filter that each item of a stream is tested against. A duplicate is an item "
      "whose "
      "key came before, an original any other item. The better of two filters is the one farther "
      "down and to the left. Along a line, the filters hold more and more keys in the same memory, "
      "so fewer duplicates pass and more originals are stopped.";
  chart.caption += selection.caption();
  for (const SummaryRow* row : kept) {
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"x", stopped_share(*row)},
                                       {"series", series.of(*row)},
                                       {"passed", passed_share(*row)}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, stream_view(series, input), {});
  return chart;
}

}  // namespace bloometry::report
