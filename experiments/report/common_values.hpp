#pragma once

#include <string>

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

/// Returns a sentence with the values that all rows of a chart share, such as " All points: 8 bits
/// per key, n = 100,000 keys, k = 6, remix probes, xxh3 hash, random keys." The sentence contains
/// neither the variant, which the title names, nor the initial capacity of a filter that grows.
/// Returns an empty string if the rows share no value.
[[nodiscard]] std::string about_common_values(const Rows& rows, const Wording& wording);

/// Returns a sentence with the titles of the axes in which the rows of a chart differ, such as "
/// The marks differ in: variant, churn." Returns an empty string if the rows do not differ.
[[nodiscard]] std::string about_differences(const Rows& rows, const Wording& wording);

}  // namespace bloometry::report
