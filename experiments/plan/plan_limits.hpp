#pragma once

#include <cstdint>

namespace bloometry {

// Limits of a config. Larger values would cause wrong results in other parts, without an error.

/// Limit of keys per role and trial. The item numbers 2i and 2i + 1 of a trial must be below 2^48.
inline constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 47U;
/// Limit of queries per point. A filter with wrongful erases has as many candidates as queries, so
/// the limit is half of kMaxKeys.
inline constexpr std::uint64_t kMaxQueries = kMaxKeys / 2;
/// Limit of trials. Item numbers of trial t start at t * 2^48.
inline constexpr std::uint64_t kMaxTrials = std::uint64_t{1} << 16U;
/// Limit of num_bits and num_counters. A double represents all whole numbers up to this one
/// exactly.
inline constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 53U;
inline constexpr std::uint64_t kMaxChurnRounds = 1'000'000;
inline constexpr double kMaxBitsPerKey = 1e6;
inline constexpr double kMaxZipfExponent = 10;
inline constexpr std::size_t kMaxKeyLabelBytes = 40;
/// Limit of rows per config. A larger plan is a mistake, and its rows would not fit in memory.
inline constexpr std::uint64_t kMaxRows = 10'000'000;

}  // namespace bloometry
