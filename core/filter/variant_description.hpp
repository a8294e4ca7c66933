#pragma once

#include "core/filter/params.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// The description of a variant beside its code; `bloometry variants` shows it and configs check
/// it.
struct VariantDescription {
  const char* summary;             ///< one line that states what the variant is and when to use it
  const char* paper;               ///< author(s) and year
  const char* rate_given_state;    ///< the binomial parameter of the false positives, as a formula
  bool sized_by_counters = false;  ///< num_counters is a size axis
  bool sized_by_blocks = false;    ///< num_blocks is a size axis; sizes are rounded up to it
  unsigned min_num_hashes = 1;     ///< least k, if k is not chosen stage by stage
  unsigned max_num_hashes = kMaxNumHashes;  ///< greatest k; equal to the least if k is fixed
  /// Whether a probe passes if and only if its cell is not zero. The laws of the rate over filters
  /// require this.
  bool passes_nonzero_cells = true;
  bool has_partitioned_theory = false;  ///< the variant's theory also covers model P
  /// Returns whether an erase may hide that a counter was saturated, given these parameters. Null
  /// if erases never hide it.
  bool (*hides_saturation)(const Params& params) = nullptr;
};

}  // namespace bloometry
