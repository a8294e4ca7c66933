#pragma once

#include "core/filter/params.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// Description of a variant beside the variant's code. The command `bloometry variants` prints the
/// description, and the validation of configs uses it.
struct VariantDescription {
  const char* summary;             ///< line of text that describes the variant and its uses
  const char* paper;               ///< author(s) and year
  const char* rate_given_state;    ///< probability of a false positive, as a formula
  bool sized_by_counters = false;  ///< whether num_counters is a size axis
  bool sized_by_blocks = false;    ///< whether num_blocks is a size axis; sizes round up to blocks
  unsigned min_num_hashes = 1;     ///< smallest k, if k is not chosen stage by stage
  unsigned max_num_hashes = kMaxNumHashes;  ///< largest k; equals the smallest k if k is fixed
  /// Whether a probe passes if and only if its cell is not zero. The value must be true for the
  /// theory of the distribution of rates over filters.
  bool passes_nonzero_cells = true;
  bool has_partitioned_theory = false;  ///< whether the variant's theory also covers model P
  /// Returns whether an erase may hide that a counter was saturated, given the parameters. The
  /// pointer is null if an erase never hides the saturation.
  bool (*hides_saturation)(const Params& params) = nullptr;
};

}  // namespace bloometry
