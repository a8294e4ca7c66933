#pragma once

#include "core/probe/limits.hpp"

namespace bloometry {

/// What a variant says of itself beside its code: shown by `bloometry variants`, checked by
/// configs.
struct VariantDescription {
  const char* summary;             ///< one line: what it is and when one would want it
  const char* paper;               ///< author(s) and year
  const char* rate_given_state;    ///< the binomial parameter of the hits, as a formula
  bool sized_by_counters = false;  ///< num_counters is a size axis
  bool sized_by_rate =
      false;  ///< target_false_positive_rate is the only size axis: the filter grows
  bool sized_by_blocks =
      false;                    ///< num_blocks is a size axis; other sizes are rounded up to blocks
  unsigned min_num_hashes = 1;  ///< k, where a spec chooses it
  unsigned max_num_hashes = kMaxNumHashes;  ///< the same as the least: k is fixed
};

}  // namespace bloometry
