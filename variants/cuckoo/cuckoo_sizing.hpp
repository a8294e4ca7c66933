#pragma once

#include <cstdint>
#include <optional>

#include "core/contract/filter_spec.hpp"

/// Sizes of cuckoo filters. A filter has an even number of buckets of b cells of f bits. A key has
/// two candidate buckets, so num_hashes is 2.
namespace bloometry {

inline constexpr unsigned kCuckooNumHashes = 2;

inline constexpr unsigned kMinCuckooFingerprintBits = 4;

/// Smallest width in sorted buckets, which store four bits of a fingerprint in another way.
inline constexpr unsigned kMinSemiSortedFingerprintBits = 5;

/// Largest width. A fingerprint is the fastrange of 64 bits, and up to 2^56 fingerprints have
/// nearly equal probabilities.
inline constexpr unsigned kMaxCuckooFingerprintBits = 56;

/// Width for a size that does not determine it. With 4 cells per bucket, the rate of a full filter
/// is 0.2 %.
inline constexpr unsigned kDefaultCuckooFingerprintBits = 12;

/// Odds that a filter refuses a key of those for which it is sized (README.md).
inline constexpr double kCuckooOddsOfRefusal = 1e-6;

/// Returns the number of cells for which a filter of num_keys keys is sized, a multiple of 2
/// bucket_cells. With random keys and fingerprints of cuckoo_least_fingerprint_bits() or more,
/// kCuckooOddsOfRefusal of the filters or fewer refuse a key. README.md states which of these odds
/// are measured. Narrower fingerprints have higher odds. Up to 2 bucket_cells keys always find
/// room. Requires bucket_cells 2, 4 or 8.
[[nodiscard]] double cuckoo_cells_for_keys(double num_keys, unsigned bucket_cells,
                                           unsigned fingerprint_bits);

/// Returns the least width of a filter that is sized for num_keys keys. More than 2 bucket_cells
/// keys with the same fingerprint and buckets do not find room. The width is so large that the
/// expected number of such sets of 2 bucket_cells + 1 keys is at most 1e-6. Different fingerprints
/// may have the same buckets, so that small filters need more cells (cuckoo_overfull.hpp).
[[nodiscard]] unsigned cuckoo_least_fingerprint_bits(double num_keys,
                                                     unsigned bucket_cells) noexcept;

/// Returns whether the buckets are semi-sorted (semi_sorted_buckets.hpp).
[[nodiscard]] bool is_semi_sorted(const Params& params);

/// Returns f, which is a bit more than the memory of a cell if the buckets are semi-sorted.
[[nodiscard]] unsigned cuckoo_fingerprint_bits(const Geometry& geometry,
                                               bool is_semi_sorted) noexcept;

/// Returns whether a filter with the cells of the geometry and with the width refuses a key of
/// num_keys keys with at most kCuckooOddsOfRefusal.
[[nodiscard]] bool is_within_cuckoo_capacity(double num_keys, const Geometry& geometry,
                                             unsigned fingerprint_bits);

/// Returns the geometry of a cuckoo filter.
///
/// With target_false_positive_rate, the width of the fingerprints and the number of buckets are
/// those with the least memory whose exact rate at capacity is at most the target. With num_bits
/// or bits_per_key and a capacity, the fingerprints have the largest width with which the capacity
/// fits in the memory. Otherwise, they have kDefaultCuckooFingerprintBits. The number of cells is
/// rounded up to an even number of buckets, and further until the capacity has the odds.
/// @param fingerprint_bits width that the spec requests, or std::nullopt
/// @param is_semi_sorted whether a cell has a bit less than the fingerprint; requires 4 cells
/// @throws ConfigError if the spec does not determine the size, contradicts itself or is out of
/// range.
[[nodiscard]] Geometry cuckoo_geometry(const FilterSpec& spec, unsigned bucket_cells,
                                       std::optional<unsigned> fingerprint_bits,
                                       bool is_semi_sorted = false);

/// Returns the geometry of a filter with these parameters, which must be resolved.
[[nodiscard]] Geometry cuckoo_geometry(const FilterSpec& spec, const Params& params);

/// Returns the geometry if a cuckoo filter with these parameters can have it.
/// @throws ConfigError otherwise
[[nodiscard]] Geometry checked_cuckoo_geometry(const Geometry& geometry, const Params& params);

}  // namespace bloometry
