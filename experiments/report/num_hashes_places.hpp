#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bloometry::report {

/// A mark with its k, and what locates it within its series.
struct KMark {
  std::string series;
  double order = 0;   ///< order of the place: the x, or the number of the view
  std::string place;  ///< the x or the name of the view
  std::uint64_t num_hashes = 0;
};

/// How places are written.
enum class PlaceText {
  kRanges,  ///< neighbouring places as "5 to 6.25"
  kNames,   ///< all names, in quotation marks
};

/// Returns whether each series has one k, or else at each place a larger k than at the one before.
[[nodiscard]] bool rise_with_place(const std::vector<KMark>& marks);

/// Returns text such as "k of “standard”: 3 at 5 to 6, 4 at 7; of “blocked”: 3 at 5 to 7". Returns
/// std::nullopt if two marks of a series have the same place and another k, if each series has one
/// k, or if the text would name more than 24 places or ranges.
[[nodiscard]] std::optional<std::string> num_hashes_by_place(const std::vector<KMark>& marks,
                                                             PlaceText text);

}  // namespace bloometry::report
