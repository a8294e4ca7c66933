#pragma once

#include "core/statistics/significance.hpp"

namespace bloometry::test {

/// All statistical assertions of the unit tests together reject an honest implementation with
/// probability at most 1e-6 (for one seed). 400 is an upper bound on their number; who adds some
/// checks that it still is.
inline double rejection_threshold() {
  return statistics::bonferroni_threshold(1e-6, 400);
}

}  // namespace bloometry::test
