#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace bloometry::report {

/// Returns the items in groups. Two items are in one group if they are linked, or if a chain of
/// linked items joins them. The groups are in the order of their first items, and the items of a
/// group in the given order. An item without links is a group.
/// @param are_linked symmetric relation of two items
template <class Item, class Relation>
[[nodiscard]] std::vector<std::vector<Item>> grouped_by(const std::vector<Item>& items,
                                                        const Relation& are_linked) {
  std::vector<std::size_t> firsts;  // first item of each item's group
  for (std::size_t i = 0; i < items.size(); ++i) {
    firsts.push_back(i);
    for (std::size_t j = 0; j < i; ++j) {
      if (firsts[j] == firsts[i] || !are_linked(items[j], items[i])) continue;
      const auto [first, joined] = std::minmax({firsts[j], firsts[i]});
      std::replace(firsts.begin(), firsts.end(), joined, first);
    }
  }
  std::map<std::size_t, std::vector<Item>> group_of;
  for (std::size_t i = 0; i < items.size(); ++i) group_of[firsts[i]].push_back(items[i]);
  std::vector<std::vector<Item>> groups;
  for (auto& [first, group] : group_of) groups.push_back(std::move(group));
  return groups;
}

}  // namespace bloometry::report
