#pragma once

#include "core/contract/params.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// When a probe passes. The value determines which formulas apply to the filter, so that a
/// description without the value does not compile.
enum class ProbePasses {
  kUnstated,
  kIfNonzero,  ///< if and only if its cell is not zero, which means that some key hit the cell
  kByOwnRule,  ///< by any other rule
};

/// Description of a variant, defined in the header of the variant. The command `bloometry variants`
/// prints the description. The validation of configs uses the description too.
struct VariantDescription {
  const char* summary;           ///< one line that describes the variant and its uses
  const char* paper;             ///< author(s) and year
  const char* rate_given_state;  ///< probability of a false positive, as a formula
  ProbePasses probe_passes = ProbePasses::kUnstated;  ///< must be stated
  bool sized_by_counters = false;                     ///< whether num_counters is a size axis
  bool sized_by_blocks = false;  ///< whether num_blocks is a size axis; sizes round up to blocks
  unsigned min_num_hashes = 1;   ///< smallest k, unless each stage has its own k
  unsigned max_num_hashes = kMaxNumHashes;  ///< largest k; equals the smallest k if k is fixed
  /// Whether the size limits the number of keys, so that inserts may find no room (LimitedFilter).
  bool is_limited = false;
  /// Whether every insert into a limited filter occupies a cell of its own, also that of a key
  /// which is in the filter. Other limited filters count the copies of a key.
  bool stores_copies = false;
  /// Whether the cells depend on the order of inserts and erases, and not on the keys alone.
  bool depends_on_order = false;
  /// Whether a filter that forgets (ForgettingFilter) keeps some of the cells of a key that it no
  /// longer contains. The rate of such keys is then above that of keys that were never inserted.
  bool leaves_traces = false;
  bool has_partitioned_theory = false;  ///< whether the variant's theory also covers model P
  /// Returns whether, with the given parameters, an erase may decrement a saturated counter, so
  /// that the saturation cannot be detected later. The pointer is null if an erase never decrements
  /// a saturated counter.
  bool (*hides_saturation)(const Params& params) = nullptr;

  [[nodiscard]] constexpr bool passes_nonzero_cells() const noexcept {
    return probe_passes == ProbePasses::kIfNonzero;
  }
};

}  // namespace bloometry
