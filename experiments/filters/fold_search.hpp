#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "experiments/filters/file_filter.hpp"

namespace bloometry {

/// A filter divided by the largest divisor that keeps the rate.
struct FoldedFilter {
  std::uint64_t divisor = 1;
  std::unique_ptr<FileFilter> filter{};  ///< null if the divisor is 1
};

/// Folds by every divisor that may keep the rate. Returns the smallest filter whose
/// FilterFacts::rate is at most `rate`. Multiples of a divisor that does not keep the rate are
/// skipped, because folding never lowers the share of set cells.
/// @param on_try is called before each fold.
/// @throws ConfigError if the filter does not support fold().
[[nodiscard]] FoldedFilter fold_to_rate(const FileFilter& filter, double rate,
                                        const std::function<void(std::uint64_t)>& on_try);

}  // namespace bloometry
