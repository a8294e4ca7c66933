#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/claim_law.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/phase_rates.hpp"
#include "core/theory/prediction.hpp"
#include "core/theory/refused_inserts_law.hpp"

namespace bloometry {

/// The theory of a variant: a trait that variants/<name>/<name>_theory.hpp specialises for the
/// default form of the filter. The trait is separate so that the filters do not need Boost or
/// Eigen.
template <class F>
struct Theory;

/// The functions of a specialisation. `spec` is the spec with which the filter is constructed.
/// `model` is the probe model, and `num_keys` is the number of distinct inserted keys.
template <class F>
concept HasTheory = requires(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys) {
  /// Returns all known theoretical values, for the command `theory`.
  { Theory<F>::predict(spec, model, num_keys) } -> std::same_as<Prediction>;
  /// Returns the exact expected rate, or the best approximation if an exact value does not exist.
  { Theory<F>::expected_rate(spec, model, num_keys) } -> std::same_as<double>;
  /// Returns the law of the number of non-zero cells after plain inserts, or std::nullopt if the
  /// law is unknown.
  { Theory<F>::fill_law(spec, model, num_keys) } -> std::same_as<std::optional<theory::FillLaw>>;
};

/// An optional function of a specialisation, which returns the rate given the filter's state from
/// the counts alone. The function uses the same operations in the same order as the filter's
/// state(), so that both results agree to the last bit. The function does not apply to filters
/// whose parts (slices, stages) have separate fills.
template <class F>
concept HasRateGivenCounts = requires(const FilterSpec& spec, ProbeModel model,
                                      const FilterState& counts) {
  { Theory<F>::rate_given_counts(spec, model, counts) } -> std::same_as<double>;
};

/// An optional function of a specialisation for filters of blocks, which returns bounds of the rate
/// given the counts. The counts determine the rate only for k = 1.
template <class F>
concept HasRateRangeGivenCounts = requires(const FilterSpec& spec, ProbeModel model,
                                           const FilterState& counts) {
  { Theory<F>::rate_range_given_counts(spec, model, counts) } -> std::same_as<theory::RateRange>;
};

/// An optional function of a specialisation whose expected_rate is a model: a proven upper bound of
/// the rate of the variant's own scheme with uniform hashes. The bound includes the collisions of
/// the digest bits that the scheme uses, and rises with the number of keys.
template <class F>
concept HasRateBound = requires(const FilterSpec& spec, std::uint64_t num_keys) {
  { Theory<F>::rate_bound(spec, num_keys) } -> std::same_as<double>;
};

/// The function of a specialisation for a limited filter that returns the law of the number of
/// refused inserts after plain inserts, or the reason why the law is unknown.
template <class F>
concept HasRefusedInserts = requires(const FilterSpec& spec, std::uint64_t num_keys) {
  { Theory<F>::refused_inserts(spec, num_keys) } -> std::same_as<theory::RefusedInserts>;
};

/// The functions of a specialisation for a filter that forgets: the exact rates over the phases of
/// a generation, and the worst phase alone, which needs less time. The number of keys of predict,
/// expected_rate and fill_law is the number of insert calls of distinct keys since the filter was
/// made, for any number of calls.
template <class F>
concept HasPhaseRates = requires(const FilterSpec& spec, ProbeModel model) {
  { Theory<F>::phase_rates(spec, model) } -> std::same_as<PhaseRates>;
  { Theory<F>::worst_phase(spec, model) } -> std::same_as<WorstPhase>;
};

/// Functions of a specialisation, by which `bloometry verify --claim` judges filters of another
/// program. `params` are the parameters of the variant, which must be resolved. Both functions
/// accept geometries that F rejects, because `verify` also searches the k, the block size and the
/// width of a cell of a filter that differs from its claim.
template <class F>
concept HasClaimLaw = requires(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                               const Params& params) {
  { Theory<F>::claim_law(model, num_keys, geometry, params) } -> std::same_as<theory::ClaimLaw>;
  /// Returns the expected rate, which equals that of claim_law.
  { Theory<F>::claim_rate(model, num_keys, geometry, params) } -> std::same_as<double>;
};

/// A specialisation without a law of claims, which states the reason. The reason is the
/// last part of the error message, after the name of the variant and a colon.
template <class F>
concept RefusesClaims = requires {
  { Theory<F>::kWhyNotClaimable } -> std::convertible_to<std::string_view>;
};

/// Checks that a specialisation has a law of claims, or states why it does not.
template <class F>
consteval bool states_claim_law() {
  static_assert(HasClaimLaw<F> != RefusesClaims<F>,
                "Theory<F> needs the law by which `verify --claim` judges a filter: claim_law and "
                "claim_rate as in core/theory/theory.hpp, or kWhyNotClaimable with the reason");
  return true;
}

}  // namespace bloometry
