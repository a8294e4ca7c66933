#pragma once

#include "core/filter/params.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// The description of a variant beside its code; `bloometry variants` shows it and configs check
/// it.
struct VariantDescription {
  const char* summary;             ///< one line: what it is and when to use it
  const char* paper;               ///< author(s) and year
  const char* rate_given_state;    ///< the binomial parameter of the false positives, as a formula
  bool sized_by_counters = false;  ///< num_counters is a size axis
  bool sized_by_blocks = false;    ///< num_blocks is a size axis; sizes are rounded up to it
  unsigned min_num_hashes = 1;     ///< least k, if k is not chosen stage by stage
  unsigned max_num_hashes = kMaxNumHashes;  ///< greatest k; equal to the least if k is fixed
  /// Whether a probe passes iff its cell is not zero, as the laws of the rate between filters
  /// assume.
  bool passes_nonzero_cells = true;
  bool has_partitioned_theory = false;  ///< its theory also covers model P
  /// Returns whether erases under these parameters may hide that a counter saturated; null: never.
  bool (*hides_saturation)(const Params& params) = nullptr;
};

}  // namespace bloometry
