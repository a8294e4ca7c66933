#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/theory.hpp"
#include "variants/d_left/d_left_filter.hpp"

namespace bloometry {

/// Theory of the d-left filter. The rate of ideal digests is 1-(1-1/(B 2^R))^n, whatever the probe
/// model. The number X of occupied cells is the number of distinct fingerprints of n keys, so it
/// has the law of the number of non-empty boxes after n throws into B 2^R boxes. X does not depend
/// on the buckets to which keys go. The law therefore applies as long as no insert was refused. The
/// approximation `linear` is n/(B 2^R), an upper bound.
///
/// The functions are compiled in a separate source. The declarations of DLeftTheory do not contain
/// the type of the filter, which is a different type in sources for different instruction sets
/// (core/isa/compiled_isa.hpp).
struct DLeftTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts);
  static theory::RefusedInserts refused_inserts(const FilterSpec& spec, std::uint64_t num_keys);
  /// Returns the law of X/(B 2^R), for filters that did not refuse an insert. R is the width of a
  /// cell without the counter of the width counter_bits of `params`, and at least 1.
  static theory::ClaimLaw claim_law(ProbeModel model, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& params);
  static double claim_rate(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                           const Params& params);
};

template <>
struct Theory<DLeftFilter> : DLeftTheory {};

static_assert(HasTheory<DLeftFilter> && HasRateGivenCounts<DLeftFilter>);
static_assert(HasRefusedInserts<DLeftFilter> && HasClaimLaw<DLeftFilter>);

}  // namespace bloometry
