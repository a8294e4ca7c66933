#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "experiments/filters/file_filter.hpp"

namespace bloometry {

/// A filter divided by the largest divisor that keeps a rate.
struct FoldedFilter {
  std::uint64_t divisor = 1;
  std::unique_ptr<FileFilter> filter{};  ///< null if it is 1
};

/// Folds by every divisor that may keep the rate, and returns the smallest filter whose rate as it
/// is (FilterFacts::rate) is at most `rate`. Folding by a multiple of a divisor that does not keep
/// it is not tried: the share of set cells never falls.
/// @param on_try is called before each fold.
/// @throws ConfigError if the filter does not fold.
[[nodiscard]] FoldedFilter fold_to_rate(const FileFilter& filter, double rate,
                                        const std::function<void(std::uint64_t)>& on_try);

}  // namespace bloometry
