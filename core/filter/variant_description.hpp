#pragma once

#include "core/filter/params.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// What a variant says of itself beside its code: shown by `bloometry variants`, checked by
/// configs.
struct VariantDescription {
  const char* summary;             ///< one line: what it is and when one would want it
  const char* paper;               ///< author(s) and year
  const char* rate_given_state;    ///< the binomial parameter of the hits, as a formula
  bool sized_by_counters = false;  ///< num_counters is a size axis
  bool sized_by_blocks = false;    ///< num_blocks is one; other sizes are rounded up to blocks
  unsigned min_num_hashes = 1;     ///< k, where it is not chosen stage by stage
  unsigned max_num_hashes = kMaxNumHashes;  ///< the same as the least: k is fixed
  /// A probe passes iff its cell is not zero, as in the laws of the rate between filters.
  bool passes_nonzero_cells = true;
  bool has_partitioned_theory = false;  ///< its theory also takes model P, which no scheme has
  /// Whether erases under these parameters may hide that a counter saturated; null: never.
  bool (*hides_saturation)(const Params& params) = nullptr;
};

}  // namespace bloometry
