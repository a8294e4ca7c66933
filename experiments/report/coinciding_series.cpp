#include "experiments/report/coinciding_series.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>

#include "core/text.hpp"
#include "experiments/report/grouped_by.hpp"
#include "experiments/report/view_positions.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using Marks = std::vector<MarkPosition>;

/// The marks of a series in a view.
struct SeriesMarks {
  Marks measured{};  ///< without triangles, whose sizes differ at one position in any case
  std::size_t num_points = 0;  ///< number of all marks
};

using MarksOfSeries = std::map<std::string, SeriesMarks>;

/// Returns the marks of each series in each view.
std::map<std::string, MarksOfSeries> marks_of(const Drawing& drawing) {
  const ViewPositions positions(drawing);
  std::map<std::string, MarksOfSeries> marks;
  for (const SummaryRow* row : drawing.rows()) {
    if (is_unmarked(drawing, *row)) continue;
    SeriesMarks& of_series = marks[drawing.views.of(*row)][drawing.series.of(*row)];
    ++of_series.num_points;
    if (drawing.is_rate() && row->num_false_positives == 0) continue;
    of_series.measured.push_back(positions.of(*row, measured_value(drawing, *row)));
  }
  return marks;
}

bool overlap(const MarkPosition& a, const MarkPosition& b) {
  constexpr double kMarkWidth = 7;  // px
  return std::abs(a.x - b.x) < kMarkWidth && std::abs(a.y - b.y) < kMarkWidth;
}

/// Returns the number of marks that overlap any of the others.
std::size_t num_overlapping(const Marks& marks, const Marks& others) {
  return static_cast<std::size_t>(
      std::count_if(marks.begin(), marks.end(), [&](const MarkPosition& mark) {
        return std::any_of(others.begin(), others.end(),
                           [&](const MarkPosition& other) { return overlap(mark, other); });
      }));
}

/// Returns whether more than half of the marks overlap any of the others.
bool are_mostly_hidden(const Marks& marks, const Marks& others) {
  return 2 * num_overlapping(marks, others) > marks.size();
}

using Group = std::vector<std::string>;  // names of series

/// Returns the least number that is not the place of an earlier series that coincides with one.
/// @param places places of the earlier series
template <class Relation>
std::size_t free_place(const std::map<std::string, std::size_t>& places, const std::string& name,
                       const Relation& are_linked) {
  std::set<std::size_t> taken;
  for (const auto& [other, place] : places) {
    if (are_linked(other, name)) taken.insert(place);
  }
  std::size_t free = 0;
  while (taken.contains(free)) ++free;
  return free;
}

/// Returns the series of a group that overlap linked series at more than half of their points.
template <class Relation>
Group mostly_overlapping(Group group, const MarksOfSeries& marks, const Relation& are_linked) {
  const Group all = group;
  std::erase_if(group, [&](const std::string& name) {
    Marks others;
    for (const std::string& other : all) {
      if (other == name || !are_linked(other, name)) continue;
      const Marks& more = marks.at(other).measured;
      others.insert(others.end(), more.begin(), more.end());
    }
    const SeriesMarks& own = marks.at(name);
    return 2 * num_overlapping(own.measured, others) <= own.num_points;
  });
  return group;
}

using Parts = std::vector<std::string>;

/// Returns the parts of a label such as "standard, 8 bits per key".
Parts parts_of(const std::string& label) {
  Parts parts;
  for (std::size_t from = 0; from < label.size();) {
    const std::size_t end = std::min(label.find(", ", from), label.size());
    parts.push_back(label.substr(from, end - from));
    from = end + 2;
  }
  return parts;
}

/// Returns the parts that all labels contain.
Parts common_parts(const std::vector<Parts>& labels) {
  Parts common = labels.front();
  std::erase_if(common, [&](const std::string& part) {
    return std::any_of(labels.begin(), labels.end(), [&](const Parts& parts) {
      return std::find(parts.begin(), parts.end(), part) == parts.end();
    });
  });
  return common;
}

}  // namespace

std::string text_of_group(const std::vector<std::string>& names, std::size_t num_all) {
  constexpr std::size_t kLeast = 3;  // fewer names are short enough
  if (names.size() < kLeast) return quoted(names);
  if (names.size() == num_all) return "all series";
  std::vector<Parts> labels;
  for (const std::string& name : names) labels.push_back(parts_of(name));
  const Parts common = common_parts(labels);
  std::vector<std::string> own;
  for (Parts& parts : labels) {
    std::erase_if(parts, [&](const std::string& part) {
      return std::find(common.begin(), common.end(), part) != common.end();
    });
    if (parts.empty() || common.empty()) return quoted(names);
    own.push_back(joined(parts));
  }
  return fmt::format("{} of “{}”", quoted(own), joined(common));
}

std::string text_of_groups(const std::map<std::string, std::vector<std::string>>& views_of,
                           std::size_t num_views) {
  constexpr std::size_t kMostNamed = 6;
  std::string text;
  std::size_t num_named = 0;
  for (const auto& [group, views] : views_of) {
    if (num_named++ == kMostNamed) break;
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", group,
                        views.size() == num_views ? "" : " in " + quoted(views));
  }
  if (views_of.size() > kMostNamed) {
    text += fmt::format("; {} more", plural(views_of.size() - kMostNamed, "group"));
  }
  return text;
}

void find_coinciding_series(Drawing& drawing) {
  if (!drawing.has_lines()) return;  // marks at names on the x axis are side by side
  std::map<std::string, std::vector<std::string>> views_of;
  const auto all_marks = marks_of(drawing);
  for (const std::string& view : drawing.views.in_order()) {
    const auto found = all_marks.find(view);
    if (found == all_marks.end()) continue;
    const MarksOfSeries& marks = found->second;
    Group names = drawing.series.in_order();
    std::erase_if(names, [&](const std::string& name) { return !marks.contains(name); });
    const auto are_linked = [&](const std::string& a, const std::string& b) {
      return are_mostly_hidden(marks.at(a).measured, marks.at(b).measured) ||
             are_mostly_hidden(marks.at(b).measured, marks.at(a).measured);
    };
    for (const Group& group : grouped_by(names, are_linked)) {
      if (group.size() < 2) continue;
      const Group named = mostly_overlapping(group, marks, are_linked);
      if (!named.empty()) {
        views_of[text_of_group(drawing.series.short_names(named), names.size())].push_back(view);
      }
      std::map<std::string, std::size_t> places;
      for (const std::string& name : group) places[name] = free_place(places, name, are_linked);
      for (const auto& [name, place] : places) drawing.place_in_group[{view, name}] = place;
    }
  }
  if (views_of.empty()) return;
  drawing.notes += fmt::format(
      " Series whose marks overlap those of other series at most points, and differ in size: {}.",
      text_of_groups(views_of, drawing.views.in_order().size()));
}

}  // namespace bloometry::report
