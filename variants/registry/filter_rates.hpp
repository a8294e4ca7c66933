#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/theory/expected_rate.hpp"
#include "core/theory/prediction.hpp"
#include "variants/registry/registry.hpp"

/// The expected rates of filters as they are built. Theory<F> assumes digests of unlimited width.
/// The functions in this header add the collisions of the digest bits that the scheme and the hash
/// use (theory 1.8), and state what is known about the result. The commands `theory`, `size` and
/// `filter` print only rates from this header for the variants of this library.
namespace bloometry {

/// Width and uniformity of the hash of the keys. The default describes a hash of 128 bits.
struct HashBits {
  double num = 128;
  std::string_view why_not_uniform{};  ///< why its values are not uniform, or empty
};

/// A filter whose rate is computed, and the hash of its keys.
struct RatedFilter {
  const VariantInfo& variant;
  SchemeInfo scheme;
  FilterSpec spec{};
  HashBits hash{};

  /// Returns the geometry of the filter, or of the first stage of a filter that grows.
  [[nodiscard]] Geometry geometry() const { return variant.geometry(spec); }
};

/// Returns the variant's first scheme that follows the model. If the variant has theory but no
/// scheme of the model, the function returns the first scheme with this model in place of its own
/// and without a name.
[[nodiscard]] SchemeInfo scheme_of_model(const VariantInfo& variant, ProbeModel model);

/// Returns all theoretical values for n keys. The values `exact` and `expected` are for the digest
/// bits of the filter. The approximations are the values of their formulas, without collisions.
/// @throws ConfigError if the spec is not valid; std::domain_error if a formula does not apply.
[[nodiscard]] Prediction predict(const RatedFilter& filter, std::uint64_t num_keys);

/// Returns the rate of predict().expected for a scheme that follows a model, without the other
/// values.
[[nodiscard]] double expected_rate(const RatedFilter& filter, std::uint64_t num_keys);

/// Returns a rate that the expected rate does not exceed: the expected rate if it is exact, and
/// otherwise a proven upper bound. Returns the expected rate if no bound is proven; the kind of
/// predict().expected is then kModel, and its upper_bound is absent.
[[nodiscard]] double guaranteed_rate(const RatedFilter& filter, std::uint64_t num_keys);

/// Returns the rate of a filter that forgets at its worst phase (PhaseRates::worst).
[[nodiscard]] ExpectedRate worst_rate(const RatedFilter& filter);

/// Returns the floor of the rate of n keys, or std::nullopt if the digest has bits for all probes.
[[nodiscard]] std::optional<RateFloor> rate_floor(const RatedFilter& filter,
                                                  std::uint64_t num_keys);

/// Returns the rate of a query given the cells of a filter. The argument `of_ideal_digests` is
/// FilterState::conditional_false_positive_rate, and num_keys is the number of keys in the filter,
/// if it is known. A query whose digest bits equal those of a member tests positive whatever the
/// cells are.
[[nodiscard]] ExpectedRate rate_given_state(const RatedFilter& filter, double of_ideal_digests,
                                            std::optional<std::uint64_t> num_keys);

/// Returns the rate given the number of set cells, for a scheme that does not follow a probe model,
/// such as double hashing. Returns std::nullopt if a model of its rate is not known.
[[nodiscard]] std::optional<ExpectedRate> rate_given_ones(const RatedFilter& filter,
                                                          std::uint64_t num_ones,
                                                          std::uint64_t num_keys);

}  // namespace bloometry
