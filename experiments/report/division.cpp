#include "experiments/report/division.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "experiments/report/churn_axes.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/stream_axes.hpp"
#include "experiments/report/window_axes.hpp"

namespace bloometry::report {
namespace {

using Axes = std::vector<const Axis*>;
using AxisNames = std::span<const std::string_view>;

bool has(const Axes& axes, std::string_view name) {
  return std::find(axes.begin(), axes.end(), &axis(name)) != axes.end();
}

/// Returns the axes without one of them.
Axes without(Axes axes, const Axis* axis) {
  std::erase(axes, axis);
  return axes;
}

Axes joined_axes(Axes axes, const Axes& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

/// Whether axes determine others in the rows of one chart.
class Dependences {
 public:
  Dependences(const Rows& rows, const Wording& wording) : rows_(&rows), wording_(&wording) {}

  /// Returns whether rows with equal values on the given axes have equal values on the axis.
  [[nodiscard]] bool determine(const Axes& given, const Axis& axis) const {
    std::map<std::vector<std::string>, std::string> values;
    return std::all_of(rows_->begin(), rows_->end(), [&](const SummaryRow* row) {
      std::vector<std::string> key;
      for (const Axis* part : given) key.push_back(part->label(*row, *wording_));
      const std::string value = axis.label(*row, *wording_);
      return values.try_emplace(std::move(key), value).first->second == value;
    });
  }

  [[nodiscard]] std::size_t num_labels(const Axes& axes) const {
    return Labels(axes, *rows_, *wording_).in_order().size();
  }

 private:
  const Rows* rows_;
  const Wording* wording_;
};

// The same quantity in different units.
constexpr std::string_view kSizes[] = {"size", "bits_per_key", "num_bits", "num_counters",
                                       "target_false_positive_rate"};
constexpr std::string_view kCounts[] = {"num_inserted", "num_keys"};

// Quantities of which two give the third: m, n and m/n; or n, the capacity and their ratio.
constexpr std::string_view kMemory[] = {"size",         "bits_per_key", "num_bits",
                                        "num_counters", "num_inserted", "num_keys"};
constexpr std::string_view kLoad[] = {"num_inserted", "num_keys", "capacity", "n_over_capacity"};

bool contains(AxisNames names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns whether the values of `other` follow from those of the chosen axis, of x and of the
/// remaining axes by arithmetic, so that the labels of `other` would repeat them.
bool repeats(const Axis& other, const Axis& chosen, const Axis& x, const Axes& remaining,
             const Dependences& rows) {
  const auto are_in = [&](AxisNames names) {
    return contains(names, other.name) && contains(names, chosen.name);
  };
  const auto are_in_with_x = [&](AxisNames names) {
    return are_in(names) && contains(names, x.name);
  };
  const bool is_related =
      are_in(kSizes) || are_in(kCounts) || are_in_with_x(kMemory) || are_in_with_x(kLoad);
  if (!is_related) return false;
  Axes given = joined_axes(without(remaining, &other), {&chosen});
  if (are_in_with_x(kMemory) || are_in_with_x(kLoad)) given.push_back(&x);
  return rows.determine(given, other);
}

/// Moves axes from the views to the series while each view would have one value of the axis of
/// series. Leaves the requested axis of views, if any, at the front.
void move_determining_axes(Division& division, const Axis& series, bool has_facet,
                           const Dependences& rows) {
  const std::size_t num_fixed = has_facet ? 1 : 0;
  if (rows.determine({division.views.begin(), division.views.begin() + num_fixed}, series)) return;
  while (rows.determine(division.views, series)) {
    // Moves the last axis without which a view has several series, otherwise the last axis.
    const Axis* moved = division.views.back();
    for (std::size_t i = division.views.size(); i > num_fixed; --i) {
      const Axis* candidate = division.views[i - 1];
      if (rows.determine(without(division.views, candidate), series)) continue;
      moved = candidate;
      break;
    }
    const Axes longer = joined_axes(division.series, {moved});
    if (rows.num_labels(longer) > kMostUndividedSeries) return;
    division.series = longer;
    std::erase(division.views, moved);
  }
}

/// Divides the rows as the request states: by its axis of series, its axis of views, or both.
Division requested_division(const SeriesRequest& request, const Axis* series, const Axis* facet,
                            Axes others, const Dependences& rows) {
  Division division;
  for (const Axis* chosen : {series, facet}) {
    if (chosen == nullptr) continue;
    std::erase(others, chosen);
    if (chosen->name == "churn") {
      for (const std::string_view part : kChurnAxes) std::erase(others, &axis(part));
    }
    if (chosen->name == "stream") {
      for (const std::string_view part : kStreamAxes) std::erase(others, &axis(part));
    }
    if (chosen->name == "window") {
      for (const std::string_view part : kWindowAxes) std::erase(others, &axis(part));
    }
    for (const Axis* other : Axes(others)) {
      if (repeats(*other, *chosen, *request.x, others, rows)) std::erase(others, other);
    }
  }
  if (facet != nullptr) division.views = {facet};
  if (series != nullptr) division.series = {series};
  if (series == nullptr || request.has_one_view) {
    division.series = joined_axes(division.series, others);
    return division;
  }
  for (const Axis* other : others) {
    (rows.determine({series}, *other) ? division.series : division.views).push_back(other);
  }
  move_determining_axes(division, *series, facet != nullptr, rows);
  // The variant precedes its parameters, which are ambiguous without it.
  if (series == &axis("params") && has(division.series, "variant")) {
    division.series = joined_axes({&axis("variant")}, without(division.series, &axis("variant")));
  }
  return division;
}

/// Moves axes from series to views, starting with the last axis, until at most kMostUndividedSeries
/// series are left. The function never moves the axis of sizes; the caller removes excess sizes.
Division standard_division(const SeriesRequest& request, Axes axes, const Dependences& rows) {
  Division division{.series = std::move(axes), .views = {}};
  const auto can_divide = [&] {
    return !division.series.empty() && division.series.back()->name != "size";
  };
  while (!request.has_one_view && can_divide() &&
         rows.num_labels(division.series) > kMostUndividedSeries) {
    division.views.insert(division.views.begin(), division.series.back());
    division.series.pop_back();
  }
  // The views also get the variant, because parameters without their variant are ambiguous.
  if (has(division.views, "params") && has(division.series, "variant")) {
    std::erase(division.series, &axis("variant"));
    division.views.insert(division.views.begin(), &axis("variant"));
  }
  return division;
}

}  // namespace

std::vector<const Axis*> filter_axes(const Rows& rows, const Wording& wording) {
  std::vector<std::string_view> names =
      with_workload_axes({"size", "variant", "params", "probes", "hash", "keys", "capacity"});
  names.emplace_back("num_hashes");
  Axes axes = series_axes(names, rows, wording);
  const Dependences dependences(rows, wording);
  while (dependences.num_labels(axes) > kMostUndividedSeries) {
    const auto last = std::find_if(axes.rbegin(), axes.rend(),
                                   [](const Axis* part) { return part->name != "variant"; });
    if (last == axes.rend()) break;
    axes.erase(std::next(last).base());
  }
  // If each series has one k, its name contains the k.
  Axes with_k = axes;
  with_k.push_back(&axis("num_hashes"));
  const bool has_k = std::find(axes.begin(), axes.end(), with_k.back()) != axes.end();
  const bool names_k = !has_k && differ_in(rows, *with_k.back(), wording) &&
                       dependences.num_labels(with_k) == dependences.num_labels(axes);
  return names_k ? with_k : axes;
}

Division divided(const SeriesRequest& request, const Rows& rows, const Wording& wording) {
  const auto chosen = [&](std::string_view name) -> const Axis* {
    if (name.empty() || !differ_in(rows, axis(name), wording)) return nullptr;
    return &axis(name);
  };
  const Axis* series = chosen(request.series);
  const Axis* facet = chosen(request.facet);
  const Dependences dependences(rows, wording);
  Axes axes = series_axes(request.axes, rows, wording);
  if (series == nullptr && facet == nullptr) {
    return standard_division(request, std::move(axes), dependences);
  }
  return requested_division(request, series, facet, std::move(axes), dependences);
}

}  // namespace bloometry::report
