#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

/// Returns whether the labels of rows in a chart contain their value on an axis.
using NamesValue = std::function<bool(const Rows&, const Axis&)>;

/// Returns sentences with the values that all rows of a chart share, and with those that only the
/// rows of one variant share, such as " All points: xxh3 hash, random keys. All points of scalable:
/// growth_factor = 2, remix probes; standard: 13 bits per key, k = 9." The sentences contain
/// neither the variant of all rows, which the title names, nor the initial capacity of a filter
/// that grows. Returns an empty string if the rows share no value.
/// @param is_named whether the labels of a variant's rows contain their value on an axis, so that
/// the sentence need not repeat it
[[nodiscard]] std::string about_common_values(const Rows& rows, const Wording& wording,
                                              const NamesValue& is_named = nullptr);

/// Returns a sentence with the titles of the axes in which the rows of a chart differ and which its
/// legend does not show, such as " Marks of one colour differ in: keys inserted n, hash functions
/// k." Returns an empty string if there are none.
/// @param named axes that the legend shows
[[nodiscard]] std::string about_differences(const Rows& rows, const Wording& wording,
                                            const std::vector<const Axis*>& named);

}  // namespace bloometry::report
