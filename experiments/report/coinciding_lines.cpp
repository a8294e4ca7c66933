#include "experiments/report/coinciding_lines.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>

#include "core/text.hpp"
#include "experiments/report/coinciding_series.hpp"
#include "experiments/report/grouped_by.hpp"
#include "experiments/report/theory_layers.hpp"
#include "experiments/report/view_positions.hpp"

namespace bloometry::report {
namespace {

constexpr double kSamePlace = 1;  // px; lines are at least 1.3 px wide

/// A line of theory in one view.
struct Line {
  std::string series;
  std::string theory;
  std::vector<MarkPosition> points{};  // by x
};

bool is_same_place(const MarkPosition& a, const MarkPosition& b) {
  return std::abs(a.x - b.x) <= kSamePlace && std::abs(a.y - b.y) <= kSamePlace;
}

/// Returns whether a line runs along the whole of another one.
bool covers(const Line& longer, const Line& shorter) {
  return std::search(longer.points.begin(), longer.points.end(), shorter.points.begin(),
                     shorter.points.end(), is_same_place) != longer.points.end();
}

/// The lines of a view that may coincide, first those that are drawn rather than others.
using Lines = std::vector<Line>;

std::optional<double> classic_value(const SummaryRow& row) {
  return has_classic_rate(row) ? row.classic_false_positive_rate : std::nullopt;
}

/// Returns the lines of each view: those of the classic formula, or the other ones.
std::map<std::string, Lines> lines_of(const Drawing& drawing, bool are_classic) {
  const ViewPositions positions(drawing);
  std::map<std::string, std::map<std::pair<std::string, std::string>, Line>> lines;
  for (const SummaryRow* row : drawing.rows()) {
    const std::optional<double> value =
        are_classic ? classic_value(*row) : theory_value(drawing, *row);
    if (!value) continue;
    const std::string theory = are_classic ? kClassic : theory_line_name(drawing, *row);
    const std::string series = drawing.series.of(*row);
    Line& line = lines[drawing.views.of(*row)][{series, theory}];
    line.series = series;
    line.theory = theory;
    line.points.push_back(positions.of(*row, *value));
  }
  const std::vector<std::string>& order = drawing.series.in_order();
  std::map<std::string, Lines> of_views;
  for (auto& [view, of_view] : lines) {
    for (const std::string& series : order) {
      for (auto& [key, line] : of_view) {
        if (key.first != series || line.points.size() < 2) continue;
        std::sort(line.points.begin(), line.points.end(),
                  [](const MarkPosition& a, const MarkPosition& b) { return a.x < b.x; });
        of_views[view].push_back(std::move(line));
      }
    }
    std::stable_sort(of_views[view].begin(), of_views[view].end(),
                     [](const Line& a, const Line& b) {
                       return std::pair(a.points.size(), a.theory == kExact) >
                              std::pair(b.points.size(), b.theory == kExact);
                     });
  }
  return of_views;
}

using LineGroup = std::vector<const Line*>;

/// Returns the groups of lines of several series that coincide.
std::vector<LineGroup> groups_of(const Lines& lines) {
  std::vector<const Line*> all;
  for (const Line& line : lines) all.push_back(&line);
  std::vector<LineGroup> groups = grouped_by(
      all, [](const Line* a, const Line* b) { return covers(*a, *b) || covers(*b, *a); });
  std::erase_if(groups, [](const LineGroup& group) {
    return std::all_of(group.begin(), group.end(),
                       [&](const Line* line) { return line->series == group.front()->series; });
  });
  return groups;
}

/// Returns the series of the group's lines of one theory, in the order of the legend, as text.
std::string series_text(const LineGroup& group, const std::string& theory, const Drawing& drawing) {
  std::vector<std::string> names;
  for (const std::string& series : drawing.series.in_order()) {
    const bool has_line = std::any_of(group.begin(), group.end(), [&](const Line* line) {
      return line->series == series && line->theory == theory;
    });
    if (has_line) names.push_back(series);
  }
  return text_of_group(drawing.series.short_names(names), drawing.series.in_order().size());
}

/// Returns the series of a group, with the names of the theories if there are several.
std::string text_of(const LineGroup& group, const Drawing& drawing) {
  std::vector<std::string> theories;
  for (const Line* line : group) {
    if (std::find(theories.begin(), theories.end(), line->theory) == theories.end()) {
      theories.push_back(line->theory);
    }
  }
  if (theories.size() == 1 && (theories.front() == kExact || theories.front() == kClassic)) {
    return series_text(group, theories.front(), drawing);
  }
  return joined(theories, [&](const std::string& theory) {
    return fmt::format("{} of {}", theory, series_text(group, theory, drawing));
  });
}

/// Groups of lines that coincide.
struct SharedLines {
  std::map<std::string, std::vector<std::string>> views_of{};  ///< by the text of a group
  std::set<std::set<std::string>> series{};                    ///< of each group
};

/// Notes in the drawing which lines are drawn. Returns the groups of lines that coincide.
SharedLines share_lines(Drawing& drawing, bool are_classic) {
  SharedLines shared;
  for (const auto& [view, lines] : lines_of(drawing, are_classic)) {
    for (const LineGroup& group : groups_of(lines)) {
      shared.views_of[text_of(group, drawing)].push_back(view);
      std::set<std::string> series;
      for (std::size_t i = 0; i < group.size(); ++i) {
        series.insert(group[i]->series);
        const bool is_drawn =
            std::none_of(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const Line* longer) { return covers(*longer, *group[i]); });
        drawing.shared_lines[{view, group[i]->series, group[i]->theory}] = is_drawn;
      }
      shared.series.insert(std::move(series));
    }
  }
  return shared;
}

}  // namespace

std::optional<double> theory_value(const Drawing& drawing, const SummaryRow& row) {
  if (!drawing.is_rate()) return row.expected_fill_ratio;
  const double rate = row.exact_false_positive_rate.value_or(row.expected_false_positive_rate);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::string theory_line_name(const Drawing& drawing, const SummaryRow& row) {
  const std::string approximation = approximation_of(drawing, row);
  return approximation.empty() ? kExact : approximation;
}

void find_coinciding_lines(Drawing& drawing) {
  if (!drawing.has_lines()) return;
  const std::size_t num_views = drawing.views.in_order().size();
  const auto add = [&](const char* lines, const SharedLines& shared, const char* more) {
    if (shared.views_of.empty()) return;
    drawing.notes += fmt::format(" Lines of {} that coincide are drawn once, in grey: {}{}.", lines,
                                 text_of_groups(shared.views_of, num_views), more);
  };
  const SharedLines of_theory = share_lines(drawing, false);
  if (!drawing.is_rate()) return add("theory", of_theory, "");
  const SharedLines of_classic = share_lines(drawing, true);
  if (of_classic.series == of_theory.series) {
    return add("theory", of_theory, "; the classic formula of the same series");
  }
  add("theory", of_theory, "");
  add("the classic formula", of_classic, "");
}

bool has_hidden_classic_line(const Drawing& drawing) {
  if (!drawing.has_lines() || !drawing.is_rate()) return false;
  const ViewPositions positions(drawing);
  return std::any_of(drawing.rows().begin(), drawing.rows().end(), [&](const SummaryRow* row) {
    const std::optional<double> exact = row->exact_false_positive_rate;
    const std::optional<double> classic = classic_value(*row);
    return exact && *exact > 0 && classic &&
           is_same_place(positions.of(*row, *exact), positions.of(*row, *classic));
  });
}

}  // namespace bloometry::report
