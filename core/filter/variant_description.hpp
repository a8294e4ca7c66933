#pragma once

#include "core/filter/params.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// Description of a variant, defined in the header of the variant. The command `bloometry variants`
/// prints the description. The validation of configs uses the description too.
struct VariantDescription {
  const char* summary;             ///< one line that describes the variant and its uses
  const char* paper;               ///< author(s) and year
  const char* rate_given_state;    ///< probability of a false positive, as a formula
  bool sized_by_counters = false;  ///< whether num_counters is a size axis
  bool sized_by_blocks = false;    ///< whether num_blocks is a size axis; sizes round up to blocks
  unsigned min_num_hashes = 1;     ///< smallest k, unless each stage has its own k
  unsigned max_num_hashes = kMaxNumHashes;  ///< largest k; equals the smallest k if k is fixed
  /// Whether a probe passes if and only if its cell is not zero. The theory of the distribution of
  /// rates over filters requires the value true.
  bool passes_nonzero_cells = true;
  bool has_partitioned_theory = false;  ///< whether the variant's theory also covers model P
  /// Returns whether, with the given parameters, an erase may decrement a saturated counter, so
  /// that the saturation cannot be detected later. The pointer is null if an erase never decrements
  /// a saturated counter.
  bool (*hides_saturation)(const Params& params) = nullptr;
};

}  // namespace bloometry
