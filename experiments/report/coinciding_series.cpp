#include "experiments/report/coinciding_series.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

/// The positions of the marks of one series in one view: y by x.
using Positions = std::map<double, double>;

/// Returns the positions of the series in each view.
std::map<std::string, std::map<std::string, Positions>> positions_of(
    const Drawing& drawing, const std::function<double(const SummaryRow&)>& axis_share) {
  std::map<std::string, std::map<std::string, Positions>> positions;
  for (const SummaryRow* row : drawing.rows()) {
    // Upper bounds at one position have marks of different sizes in any case.
    if (drawing.is_rate() && row->num_false_positives == 0) continue;
    const double x = *drawing.request.x->value(*row);
    positions[drawing.views.of(*row)][drawing.series.of(*row)][x] = axis_share(*row);
  }
  return positions;
}

constexpr double kMarkShare = 0.01;  // half of a mark, as a share of the axis

/// Returns whether the marks of two series cover one another.
bool coincide(const Positions& a, const Positions& b) {
  return a.size() == b.size() && !a.empty() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& left, const auto& right) {
           return left.first == right.first && std::abs(left.second - right.second) <= kMarkShare;
         });
}

using Group = std::vector<std::string>;  // names of series that coincide

/// Returns the groups of series that coincide in one view, in the order of the legend.
std::vector<Group> groups_of(const std::map<std::string, Positions>& positions,
                             const std::vector<std::string>& names) {
  std::vector<Group> groups;
  for (const std::string& name : names) {
    if (!positions.contains(name)) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& members) {
      return coincide(positions.at(members.front()), positions.at(name));
    });
    if (group == groups.end()) {
      groups.push_back({name});
    } else {
      group->push_back(name);
    }
  }
  std::erase_if(groups, [](const Group& group) { return group.size() < 2; });
  return groups;
}

/// Returns a sentence about the groups of series that coincide, with the views of each group.
std::string about_groups(const std::map<Group, std::vector<std::string>>& views_of,
                         std::size_t num_views) {
  constexpr std::size_t kMostNamed = 6;
  if (views_of.empty()) return "";
  std::string text;
  std::size_t num_named = 0;
  for (const auto& [group, views] : views_of) {
    if (num_named++ == kMostNamed) break;
    text += fmt::format("{}{}{}", text.empty() ? " " : "; ", quoted(group),
                        views.size() == num_views ? "" : " in " + quoted(views));
  }
  if (views_of.size() > kMostNamed) {
    text += fmt::format("; {} more", plural(views_of.size() - kMostNamed, "group"));
  }
  return " Series that coincide, with marks of different sizes:" + text + ".";
}

}  // namespace

void find_coinciding_series(Drawing& drawing,
                            const std::function<double(const SummaryRow&)>& axis_share) {
  if (!drawing.has_lines()) return;  // marks at names on the x axis are side by side
  std::map<Group, std::vector<std::string>> views_of;
  const auto positions = positions_of(drawing, axis_share);
  for (const std::string& view : drawing.views.in_order()) {
    const auto found = positions.find(view);
    if (found == positions.end()) continue;
    for (const Group& group : groups_of(found->second, drawing.series.in_order())) {
      views_of[group].push_back(view);
      for (std::size_t i = 0; i < group.size(); ++i) {
        drawing.place_in_group[{view, group[i]}] = i;
      }
    }
  }
  drawing.notes += about_groups(views_of, drawing.views.in_order().size());
}

}  // namespace bloometry::report
