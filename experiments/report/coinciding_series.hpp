#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// Finds the series that hide one another in a view. Two series do if more than half of the marks
/// of one of them overlap marks of the other: a reader could not follow that series. Numbers the
/// series in `place_in_group`, so that two such series have different numbers. Adds a sentence to
/// the notes that names those series of which more than half of the points are hidden. A series is
/// in a group if it hides any series of the group.
void find_coinciding_series(Drawing& drawing);

/// Returns the names of a group of series as text: "all series", or “a”, “b” and “c”. Three or more
/// names that have parts in common are shortened, such as to “a”, “b” and “c” of “8 bits per key”.
/// @param num_all number of all series
[[nodiscard]] std::string text_of_group(const std::vector<std::string>& names, std::size_t num_all);

/// Returns the groups of names as text, each with the views that it is in unless it is in all of
/// them. The text is of the form "“a” and “b”; “c” and “d” in “e”", with at most six groups.
/// @param views_of views by the text of a group
[[nodiscard]] std::string text_of_groups(
    const std::map<std::string, std::vector<std::string>>& views_of, std::size_t num_views);

}  // namespace bloometry::report
