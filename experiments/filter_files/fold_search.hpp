#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/filter_files/file_filter.hpp"

namespace bloometry {

/// The result of fold_to_rate().
struct FoldedFilter {
  std::uint64_t divisor = 1;
  std::unique_ptr<FileFilter> filter{};  ///< null if the divisor is 1
};

/// Returns the divisors above 1 that fold() of the filter accepts, in ascending order.
/// @throws ConfigError if the filter does not support fold().
[[nodiscard]] std::vector<std::uint64_t> fold_divisors(const FileFilter& filter);

/// Returns the first divisors as text, and how many more there are; `none` for an empty list.
[[nodiscard]] std::string divisors_text(std::span<const std::uint64_t> divisors);

/// Folds the filter by each divisor that may keep the rate, and returns the smallest result whose
/// FilterFacts::rate is at most `rate`. If a divisor gives a higher rate, the search skips its
/// multiples, because folding never lowers the share of set cells.
/// @param on_try function that is called with the divisor before each fold
/// @throws ConfigError if the filter does not support fold().
[[nodiscard]] FoldedFilter fold_to_rate(const FileFilter& filter, double rate,
                                        const std::function<void(std::uint64_t)>& on_try);

}  // namespace bloometry
