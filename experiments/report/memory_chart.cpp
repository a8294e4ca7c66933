#include <array>
#include <map>
#include <utility>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_marks.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

const std::vector<std::string> kMemoryViews = {"memory (bits)", "bits per key"};

json memory_view(const Rows& rows, const Labels& series, const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  const json y = {{"field", "memory"},
                  {"type", "quantitative"},
                  {"title", nullptr},
                  {"scale", {{"type", "log"}, {"nice", false}, {"padding", 10}}},
                  {"axis", {{"format", "~s"}, {"tickCount", 5}}}};
  json x = x_channel(axis("num_inserted"), rows);
  x["scale"] = {{"type", "log"}, {"nice", false}, {"padding", 10}};
  x["axis"] = {{"format", "~s"}, {"tickCount", 5}};
  const json lines = {{"name", "lines"}, {"mark", {{"type", "line"}}}};
  const json points = {{"name", "measured"},
                       {"mark",
                        {{"type", "point"},
                         {"filled", false},
                         {"size", {{"expr", "datum.mark_size"}}},
                         {"opacity", 1},
                         {"cursor", "pointer"}}},
                       {"encoding",
                        {{"shape", channels["shape"]},
                         {"order", largest_first()},
                         {"strokeWidth", chart::picked_width()},
                         {"tooltip", row_tooltip()}}}};
  return {{"layer", {lines, points}},
          {"encoding", {{"x", x}, {"y", y}, {"color", channels["color"]}}}};
}

}  // namespace

Chart memory_vs_n(RowSelection selection, const ChartInput& input) {
  selection.leave_out_if([](const SummaryRow& row) { return row.num_inserted == 0; },
                         "at n = 0, which a logarithmic axis cannot show");
  const Rows& kept = selection.rows();
  constexpr std::array<std::string_view, 7> kSeries = {"size", "variant", "params",  "probes",
                                                       "hash", "keys",    "capacity"};
  const Labels series(series_axes(kSeries, kept, input.wording), kept, input.wording);
  Chart chart{.name = "memory_vs_n", .title = "Memory of filters that grow"};
  chart.caption =
      "Marks are the memory held after n keys, the largest over the trials; both axes are "
      "logarithmic. Bits per key is that memory over n: high while the first stage has room, and "
      "again each time that a stage is opened. Lines join the measured n; between two of them the "
      "memory may jump. Marks of equal memory are drawn around one another.";
  chart.caption += selection.caption();
  constexpr int kSmallest = 38;                                              // in square px
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> num_drawn;  // by n and bits
  for (const SummaryRow* row : kept) {
    const std::size_t place = num_drawn[{row->num_inserted, row->num_bits}]++;
    const auto bits = static_cast<double>(row->num_bits);
    const std::array<double, 2> memory = {bits, bits / static_cast<double>(row->num_inserted)};
    for (std::size_t i = 0; i < kMemoryViews.size(); ++i) {
      chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                              .fields = {{"x", row->num_inserted},
                                         {"series", series.of(*row)},
                                         {"facet", kMemoryViews[i]},
                                         {"mark_size", kSmallest * mark_size_factor(place)},
                                         {"memory", memory[i]}}});
    }
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, memory_view(kept, series, input), kMemoryViews);
  chart.spec["resolve"]["scale"]["y"] = "independent";
  return chart;
}

}  // namespace bloometry::report
