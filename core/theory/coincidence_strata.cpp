#include "core/theory/coincidence_strata.hpp"

namespace bloometry::theory {
namespace {

double pairs_of(double count) {
  return 0.5 * count * (count - 1);
}

}  // namespace

std::vector<PairsOfPlaces> classes_of_pairs(unsigned num_places) {
  std::vector<PairsOfPlaces> classes;
  for (unsigned d = 1; d < num_places && d <= kMaxDistance; ++d) {
    classes.emplace_back(num_places, d, d);
  }
  if (num_places > kMaxDistance + 1) {
    classes.emplace_back(num_places, kMaxDistance + 1, num_places - 1);
  }
  return classes;
}

Coincidences coincidences(const std::vector<std::uint64_t>& query,
                          const std::vector<std::uint64_t>& member) {
  Coincidences found;
  double num_meetings = 0;
  auto other = member.begin();
  for (auto at = query.begin(); at != query.end();) {
    const std::uint64_t index = *at;
    const auto first = at;
    while (at != query.end() && *at == index) ++at;
    while (other != member.end() && *other < index) ++other;
    const auto other_first = other;
    while (other != member.end() && *other == index) ++other;
    const auto here = static_cast<double>(at - first);
    const auto there = static_cast<double>(other - other_first);
    ++found.num_distinct;
    found.num_own_pairs += pairs_of(here);
    found.num_covered += there > 0;
    num_meetings += here * there;
    found.num_met_pairs -= here * pairs_of(there) + there * pairs_of(here);
  }
  found.num_met_pairs += pairs_of(num_meetings);
  return found;
}

}  // namespace bloometry::theory
