#include "experiments/sweep/key_lists.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "experiments/unit/key_demand.hpp"

namespace bloometry {

std::vector<KeyLists> key_lists(std::span<const Unit> units) {
  std::map<std::tuple<std::string, std::string, std::uint64_t>, KeyLists> lists;
  for (const Unit& unit : units) {
    const KeyDemand demand = key_demand(unit);
    const bool is_file = unit.keys.kind == KeySource::Kind::kFile;
    KeyLists& longest = lists[{unit.keys.name, unit.hash, unit.trial}];
    longest.unit = &unit;
    ++longest.num_units;
    longest.num_members =
        std::max(longest.num_members, is_file ? demand.num_keys() : demand.num_members);
    const std::uint64_t num_queries = is_file ? 0 : demand.num_nonmembers();
    longest.num_queries = std::max(longest.num_queries, num_queries);
    longest.num_queries_of_units += num_queries;
  }
  std::vector<KeyLists> all;
  all.reserve(lists.size());
  for (const auto& [key, longest] : lists) all.push_back(longest);
  return all;
}

}  // namespace bloometry
