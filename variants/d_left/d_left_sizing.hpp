#pragma once

#include <cstdint>
#include <optional>

#include "core/contract/filter_spec.hpp"

/// Sizes of d-left filters. A filter has d subtables of B buckets of kDLeftBucketCells cells. A
/// cell has a remainder of R bits and a counter. The number of candidate buckets d is num_hashes.
namespace bloometry {

/// Number of cells per bucket, as in the paper.
inline constexpr unsigned kDLeftBucketCells = 8;

inline constexpr unsigned kMinDLeftSubtables = 2;
inline constexpr unsigned kMaxDLeftSubtables = 8;
inline constexpr unsigned kDefaultDLeftSubtables = 4;

inline constexpr unsigned kMaxDLeftRemainderBits = 56;

/// Remainder width of the paper's test, for a size that does not determine the width.
inline constexpr unsigned kDefaultDLeftRemainderBits = 14;

/// Largest binary logarithm of the number B 2^R of fingerprints. A fingerprint is the fastrange of
/// 64 bits, and up to 2^56 fingerprints have nearly equal probabilities.
inline constexpr unsigned kMaxDLeftFingerprintBits = 56;

/// Returns the mean number of keys per bucket for which filters are sized. With ideal
/// permutations, the share of buckets with at least nine keys is then below 1e-15 in the steady
/// state of erases and inserts (theory 7).
[[nodiscard]] double d_left_keys_per_bucket(unsigned num_subtables) noexcept;

/// Returns the number of keys for which a table of B buckets per subtable is sized.
[[nodiscard]] std::uint64_t d_left_capacity(std::uint64_t num_buckets,
                                            unsigned num_subtables) noexcept;

/// Parameters of a d-left filter.
struct DLeftParams {
  unsigned counter_bits;
  std::optional<unsigned> remainder_bits{};     ///< the requested width, if one is requested
  std::optional<std::uint64_t> max_capacity{};  ///< present if the filter doubles on its own
};

/// Returns the parameters of a d-left filter, which must be resolved.
[[nodiscard]] DLeftParams d_left_params(const Params& params);

[[nodiscard]] Params to_params(const DLeftParams& params);

/// Returns the width of the remainders if a d-left filter can have the geometry.
/// @throws ConfigError otherwise
[[nodiscard]] unsigned checked_d_left_remainder_bits(const Geometry& geometry, DLeftParams params);

/// Returns the geometry of an empty d-left filter.
///
/// With target_false_positive_rate, the capacity determines the number of buckets, and the rate
/// determines the width of the remainders. With num_bits or bits_per_key and a capacity, the
/// capacity determines the width of a cell. Otherwise, a remainder has
/// kDefaultDLeftRemainderBits. The number of cells is rounded up to whole buckets in each of the d
/// subtables.
///
/// With max_capacity, the rate is the rate at max_capacity keys. The capacity and the memory are
/// those of the table before its first doubling. The remainders are wide enough for all doublings.
/// @throws ConfigError if the spec does not determine the size, contradicts itself or is out of
/// range, or if the filter cannot double up to max_capacity.
[[nodiscard]] Geometry d_left_geometry(const FilterSpec& spec, const DLeftParams& params);

/// Returns the number B of buckets per subtable.
[[nodiscard]] inline std::uint64_t d_left_subtable_buckets(const Geometry& geometry) noexcept {
  return geometry.num_blocks() / geometry.num_hashes;
}

}  // namespace bloometry
