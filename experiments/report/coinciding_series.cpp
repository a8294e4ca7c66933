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
using MarksOfSeries = std::map<std::string, Marks>;

/// Returns the marks of each series in each view.
std::map<std::string, MarksOfSeries> marks_of(const Drawing& drawing) {
  const ViewPositions positions(drawing);
  std::map<std::string, MarksOfSeries> marks;
  for (const SummaryRow* row : drawing.rows()) {
    // Upper bounds at one position have marks of different sizes in any case.
    if (drawing.is_rate() && row->num_false_positives == 0) continue;
    marks[drawing.views.of(*row)][drawing.series.of(*row)].push_back(
        positions.of(*row, measured_value(drawing, *row)));
  }
  return marks;
}

/// Returns whether the marks of a series overlap those of another one at more than half of the x
/// that both have.
bool coincide(const Marks& a, const Marks& b) {
  constexpr double kMarkWidth = 7;  // px; marks overlap if their centres are nearer
  std::size_t num_common = 0;
  std::size_t num_overlapping = 0;
  for (const MarkPosition& mark : a) {
    const auto is_below = [&](const MarkPosition& other) {
      return std::abs(mark.x - other.x) < kMarkWidth;
    };
    const auto overlaps = [&](const MarkPosition& other) {
      return is_below(other) && std::abs(mark.y - other.y) < kMarkWidth;
    };
    num_common += std::any_of(b.begin(), b.end(), is_below) ? 1 : 0;
    num_overlapping += std::any_of(b.begin(), b.end(), overlaps) ? 1 : 0;
  }
  return 2 * num_overlapping > num_common;
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
      return coincide(marks.at(a), marks.at(b)) || coincide(marks.at(b), marks.at(a));
    };
    for (const Group& group : grouped_by(names, are_linked)) {
      if (group.size() < 2) continue;
      views_of[text_of_group(group, names.size())].push_back(view);
      std::map<std::string, std::size_t> places;
      for (const std::string& name : group) places[name] = free_place(places, name, are_linked);
      for (const auto& [name, place] : places) drawing.place_in_group[{view, name}] = place;
    }
  }
  if (views_of.empty()) return;
  drawing.notes += fmt::format(" Series whose marks overlap at most points and differ in size: {}.",
                               text_of_groups(views_of, drawing.views.in_order().size()));
}

}  // namespace bloometry::report
