#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <set>
#include <tuple>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/cell_chance.hpp"
#include "experiments/report/heatmap_layers.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/untested.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr std::size_t kMostMaps = 12;
constexpr std::size_t kMostCells = 2400;  // about 2.5 MB of .vl.json
constexpr std::size_t kLeastColumns = 3;
constexpr std::size_t kMostNamedSizes = 4;

/// Returns whether the rows of a map have at least two values of n and two values of k.
bool spans_grid(const Rows& rows) {
  std::set<std::uint64_t> n;
  std::set<std::uint64_t> k;
  for (const SummaryRow* row : rows) {
    n.insert(row->num_inserted);
    k.insert(*row->num_hashes);
  }
  return n.size() > 1 && k.size() > 1;
}

std::string two_digits(double value) {
  constexpr double kLeastShown = 0.01;
  if (value > 0 && value < kLeastShown) return "<0.01";
  return value < 9.95 ? rounded(value, 2) : std::to_string(std::llround(value));
}

/// Returns the label of a cell. If chance does not explain the error, the label is the error, such
/// as "+30 %" or "×4.2". If chance explains the error, the label is the half width of the interval,
/// such as "±2 %".
std::string cell_number(const SummaryRow& row, const Chance& chance) {
  const double error = relative_error(row);
  const double width = chance.width(row);
  if (std::abs(error) <= width) return fmt::format("±{} %", two_digits(100 * width));
  if (error >= 1) return "×" + two_digits(1 + error);
  return fmt::format("{}{} %", error > 0 ? "+" : "−", two_digits(100 * std::abs(error)));
}

/// Returns whether each (n, k) of a map has a single size, as at a constant fill. If each (n, k)
/// has a single size, sizes do not distinguish maps.
bool follows_n_and_k(const Axis& size, const std::vector<const Axis*>& others, const Rows& rows,
                     const Wording& wording) {
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::string> sizes;
  return std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    const std::string label = size.label(*row, wording);
    const auto [found, is_new] = sizes.try_emplace(
        {joined_label(others, *row, wording), row->num_inserted, *row->num_hashes}, label);
    return is_new || found->second == label;
  });
}

/// Returns the axes that distinguish maps.
std::vector<const Axis*> view_axes(const Rows& rows, const Wording& wording) {
  const std::vector<const Axis*> others =
      varying(with_workload_axes({"variant", "params", "keys", "hash", "probes", "capacity"}), rows,
              wording);
  if (follows_n_and_k(axis("size"), others, rows, wording)) return others;
  return varying(
      with_workload_axes({"variant", "params", "keys", "hash", "probes", "size", "capacity"}), rows,
      wording);
}

/// The rows of each map.
using Maps = std::map<std::string, Rows>;

Maps maps_of(const Rows& rows, const Labels& views) {
  Maps maps;
  for (const SummaryRow* row : rows) maps[views.of(*row)].push_back(row);
  return maps;
}

std::size_t num_columns(const Rows& map) {
  std::set<std::uint64_t> n;
  for (const SummaryRow* row : map) n.insert(row->num_inserted);
  return n.size();
}

/// Leaves out the maps that do not satisfy the predicate, unless no map satisfies it.
template <class Predicate>
void keep_worthy(RowSelection& selection, const Labels& views, const Predicate& is_worthy,
                 std::string_view reason) {
  const Maps maps = maps_of(selection.rows(), views);
  const auto worthy = [&](const auto& map) { return is_worthy(map.second); };
  if (std::none_of(maps.begin(), maps.end(), worthy)) return;
  selection.leave_out_if([&](const SummaryRow& row) { return !is_worthy(maps.at(views.of(row))); },
                         reason);
}

/// Leaves out maps until at most kMostMaps maps with at most kMostCells cells are left. Keeps the
/// same sizes for every variant.
void thin_maps(RowSelection& selection, const std::vector<const Axis*>& axes, const Labels& views,
               const Wording& wording) {
  const Rows& rows = selection.rows();
  const Maps maps = maps_of(rows, views);
  std::size_t largest = 1;
  for (const auto& [name, map] : maps) largest = std::max(largest, map.size());
  const std::size_t limit = std::clamp<std::size_t>(kMostCells / largest, 1, kMostMaps);
  if (maps.size() <= limit) return;
  std::vector<const Axis*> others = axes;
  std::erase(others, &axis("size"));
  const Labels groups(others, rows, wording);
  const std::size_t num_groups = std::max<std::size_t>(groups.in_order().size(), 1);
  std::map<std::string, Rows> rows_of_group;
  for (const SummaryRow* row : rows) rows_of_group[groups.of(*row)].push_back(row);
  Rows kept;
  for (const auto& [name, members] : rows_of_group) {
    Labels sizes({&axis("size")}, members, wording);
    sizes.thin_out(std::max<std::size_t>(limit / num_groups, 1));
    std::copy_if(members.begin(), members.end(), std::back_inserter(kept),
                 [&](const SummaryRow* row) { return sizes.contains(*row); });
  }
  Labels left(axes, kept, wording);
  left.thin_out(limit);
  const std::size_t num_left_out = maps.size() - left.in_order().size();
  const std::set<const SummaryRow*> candidates(kept.begin(), kept.end());
  selection.leave_out_if(
      [&](const SummaryRow& row) { return !candidates.contains(&row) || !left.contains(row); },
      fmt::format("of {} (the others are spread evenly)", plural(num_left_out, "further map")));
}

/// Leaves out every row but the first of each cell.
void keep_first_of_cells(RowSelection& selection, const Labels& views) {
  std::set<std::tuple<std::string, std::uint64_t, std::uint64_t>> cells;
  Rows kept;
  for (const SummaryRow* row : selection.rows()) {
    if (cells.insert({views.of(*row), row->num_inserted, *row->num_hashes}).second) {
      kept.push_back(row);
    }
  }
  selection.keep(std::move(kept), "in a cell that shows another point");
}

std::string caption_of(const Rows& rows, const Chance& chance) {
  const bool is_grey = chance.explains_all(rows);
  std::string caption =
      is_grey ? "No cell differs from theory by more than chance explains."
              : "Blue: fewer false positives than expected, orange: more, where chance does not "
                "explain the error: by chance alone no cell is coloured in 19 of 20 charts. Grey "
                "cells are within chance.";
  caption += about_untested(rows, "dashed frames");
  const double limit = colour_limit(rows, chance);
  const auto num_clamped =
      static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const SummaryRow* row) {
        return !chance.explains(*row) && std::abs(relative_error(*row)) > limit;
      }));
  if (num_clamped > 0) {
    caption += fmt::format(
        " The colours follow the tested cells: {} of the others {} beyond the end of the scale.",
        grouped(num_clamped), num_clamped == 1 ? "is" : "are");
  }
  caption += " Almost white cells have fewer than 100 false positives";
  if (std::any_of(rows.begin(), rows.end(),
                  [](const SummaryRow* row) { return has_repeated_queries(*row); })) {
    caption += ", or Zipf queries, whose rate a few popular keys decide,";
  }
  caption += " and are not judged.";
  if (has_room_for_numbers(rows)) {
    caption += is_grey ? " Numbers: ± the error that chance could hide."
                       : " Numbers: of coloured cells the error, a large one as ×, the observed "
                         "over the expected rate; of grey ones ± the error that chance could hide.";
  }
  return caption;
}

/// Returns a sentence if the cells of a map differ in size, as those of the best k of each size.
std::string about_sizes(const Rows& rows, const Labels& views, const Wording& wording) {
  std::string text;
  for (const auto& [name, map] : maps_of(rows, views)) {
    const Labels sizes({&axis("size")}, map, wording);
    if (sizes.in_order().size() < 2) continue;
    if (!text.empty()) return " The filters of one map differ in size, not only in k and n.";
    text = fmt::format(
        " The filters of {} differ in size, not only in k and n: {}.",
        views.in_order().size() < 2 ? "the map" : fmt::format("the map “{}”", name),
        sizes.in_order().size() > kMostNamedSizes
            ? fmt::format("from {} to {}", sizes.in_order().front(), sizes.in_order().back())
            : joined(sizes.in_order()));
  }
  return text;
}

void leave_out_without_theory(RowSelection& selection) {
  selection.leave_out_if(has_only_bound, "for which theory gives only an upper bound");
  selection.leave_out_if([](const SummaryRow& row) { return !row.num_hashes; },
                         "whose filter chooses k itself");
  selection.leave_out_if(
      [](const SummaryRow& row) { return !(row.expected_false_positive_rate > 0); },
      "whose expected rate is 0");
}

}  // namespace

bool has_more_than_grey(const Rows& rows) {
  RowSelection selection(rows);
  leave_out_without_theory(selection);
  return !Chance(selection.rows()).explains_all(selection.rows());
}

std::optional<Chart> relative_error_heatmap(RowSelection selection, const ChartInput& input) {
  leave_out_without_theory(selection);
  const std::vector<const Axis*> axes = view_axes(selection.rows(), input.wording);
  const Labels all(axes, selection.rows(), input.wording);
  const Maps maps = maps_of(selection.rows(), all);
  if (std::none_of(maps.begin(), maps.end(),
                   [](const auto& map) { return spans_grid(map.second); })) {
    return std::nullopt;
  }
  const Chance chance(selection.rows());
  keep_worthy(selection, all, spans_grid, "in maps of one n or one k");
  keep_worthy(
      selection, all, [](const Rows& map) { return num_columns(map) >= kLeastColumns; },
      "in maps of fewer than 3 n");
  keep_worthy(
      selection, all, [&](const Rows& map) { return !chance.explains_all(map); },
      "in maps without a coloured cell");
  thin_maps(selection, axes, all, input.wording);
  keep_first_of_cells(selection, all);
  const Rows& kept = selection.rows();
  const Labels views(axes, kept, input.wording);
  Chart chart{.name = "relative_error_heatmap",
              .title = "Relative error of the measured rate over n and k"};
  if (chance.explains_all(kept)) chart.title += ": none beyond chance";
  chart.caption =
      caption_of(kept, chance) + about_sizes(kept, views, input.wording) + selection.caption();
  for (const SummaryRow* row : kept) {
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"facet", views.of(*row)},
                                       {"enough", can_judge(*row)},
                                       {"coloured", !chance.explains(*row)},
                                       {"relative_error", relative_error(*row)},
                                       {"number", cell_number(*row, chance)}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, heatmap_view(kept, views.in_order().size(), chance), views.in_order());
  return chart;
}

}  // namespace bloometry::report
