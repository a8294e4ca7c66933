#include "experiments/report/coinciding_marks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "experiments/report/grouped_by.hpp"

namespace bloometry::report {
namespace {

bool cover(const MarkPosition& a, const MarkPosition& b) {
  constexpr double kMarkRadius = 4;  // px; marks whose centres are nearer hide one another
  return std::abs(a.x - b.x) < kMarkRadius && std::abs(a.y - b.y) < kMarkRadius;
}

}  // namespace

nlohmann::json largest_first() {
  return {{"field", "mark_size"}, {"type", "quantitative"}, {"sort", "descending"}};
}

std::vector<std::vector<std::size_t>> coinciding_marks(const std::vector<MarkPosition>& marks) {
  std::vector<std::size_t> all(marks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  auto groups =
      grouped_by(all, [&](std::size_t a, std::size_t b) { return cover(marks[a], marks[b]); });
  std::erase_if(groups, [](const auto& members) { return members.size() < 2; });
  for (std::vector<std::size_t>& members : groups) {
    std::stable_sort(members.begin(), members.end(),
                     [&](std::size_t a, std::size_t b) { return marks[a].layer > marks[b].layer; });
  }
  return groups;
}

std::vector<std::size_t> places_of_series(const std::vector<MarkPosition>& marks,
                                          const std::vector<std::string>& series) {
  std::vector<std::size_t> places(marks.size(), 0);
  for (const std::vector<std::size_t>& members : coinciding_marks(marks)) {
    std::map<std::string, std::size_t> place_of;
    for (const std::size_t i : members) {
      places[i] = place_of.try_emplace(series[i], place_of.size()).first->second;
    }
  }
  return places;
}

std::vector<std::size_t> places_of_marks(const std::vector<MarkPosition>& marks) {
  std::vector<std::size_t> places(marks.size(), 0);
  for (const std::vector<std::size_t>& members : coinciding_marks(marks)) {
    for (std::size_t place = 0; place < members.size(); ++place) places[members[place]] = place;
  }
  return places;
}

}  // namespace bloometry::report
