#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/theory.hpp"
#include "variants/cuckoo/cuckoo_filter.hpp"

namespace bloometry {

/// Theory of the cuckoo filter. The rate of ideal digests is 1-(1-2/(B(2^f-1)))^n, whatever the
/// probe model, as long as no insert was refused. Given the state, it is 2D/(B(2^f-1)), where D
/// counts the classes (fingerprints with their buckets) that are stored. D is the number of
/// non-empty boxes after n throws into B(2^f-1)/2 boxes. The number of occupied cells does not have
/// a law, because it is n. The approximation `independent_cells` is 1-(1-2^-f)^(2 b load).
///
/// The functions are compiled in a separate source. The declarations of CuckooTheory do not contain
/// the type of the filter, which is a different type in sources for different instruction sets
/// (core/isa/compiled_isa.hpp).
struct CuckooTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts);
  static theory::RefusedInserts refused_inserts(const FilterSpec& spec, std::uint64_t num_keys);
  /// Returns the law of 2D/(B(2^f-1)), for filters that did not refuse an insert. The width f is
  /// that of a cell of the geometry, or a bit more with semi_sorting. An odd number of buckets
  /// counts as the next even number.
  static theory::ClaimLaw claim_law(ProbeModel model, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& params);
  static double claim_rate(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                           const Params& params);
};

template <>
struct Theory<CuckooFilter> : CuckooTheory {};

static_assert(HasTheory<CuckooFilter> && HasRateGivenCounts<CuckooFilter>);
static_assert(HasRefusedInserts<CuckooFilter> && HasClaimLaw<CuckooFilter>);

}  // namespace bloometry
