#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bloometry::report {

/// A point mark of a view, in px.
struct MarkPosition {
  double x = 0;
  double y = 0;
  int layer = 0;  ///< number of the mark's layer; higher layers are drawn in front
};

/// Returns the place of each mark among those that cover one another: 0 for the mark in front, 1
/// for the next. A mark that covers no other mark has place 0. If marks of a higher place are drawn
/// larger and behind, all marks are visible.
[[nodiscard]] std::vector<std::size_t> places_of_marks(const std::vector<MarkPosition>& marks);

/// Returns the place of each mark among marks of other series that cover it or that it covers, or
/// that a chain of such marks joins to it. Marks of one series have one place in such a group.
/// @param series name of the series of each mark
[[nodiscard]] std::vector<std::size_t> places_of_series(const std::vector<MarkPosition>& marks,
                                                        const std::vector<std::string>& series);

/// Returns the groups of marks that cover one another, as indices of marks. A group has at least
/// two marks, the one in front first.
[[nodiscard]] std::vector<std::vector<std::size_t>> coinciding_marks(
    const std::vector<MarkPosition>& marks);

/// Returns the channel that draws the marks of a layer from the largest to the smallest, by their
/// field mark_size.
[[nodiscard]] nlohmann::json largest_first();

/// Returns the factor by which the size of a mark of a place grows.
[[nodiscard]] constexpr int mark_size_factor(std::size_t place) noexcept {
  return static_cast<int>(1 + 2 * place);
}

}  // namespace bloometry::report
