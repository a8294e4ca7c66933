#pragma once

#include <cstdint>
#include <vector>

#include "experiments/filter_files/file_filter.hpp"

namespace bloometry::test {

/// Returns a copy of the words of each store of a filter.
inline std::vector<std::vector<std::uint64_t>> cells_of(const FileFilter& filter) {
  std::vector<std::vector<std::uint64_t>> cells;
  for (const auto store : filter.cells()) cells.emplace_back(store.begin(), store.end());
  return cells;
}

}  // namespace bloometry::test
