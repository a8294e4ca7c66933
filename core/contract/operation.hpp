#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace bloometry {

/// Operations of filters. A concept of core/contract/filter.hpp defines each operation.
enum class Operation {
  kInsert,
  kContains,
  kErase,
  kMerge,
  kIntersect,
  kEstimateCount,
  kFold,
  kGrow,
  kTick,
  kBorrow
};

[[nodiscard]] constexpr std::string_view name_of(Operation operation) noexcept {
  constexpr std::array<std::string_view, 10> kNames = {
      "insert",         "contains", "erase", "merge", "intersect",
      "estimate_count", "fold",     "grow",  "tick",  "borrow"};
  return kNames[static_cast<std::size_t>(operation)];
}

}  // namespace bloometry
