#pragma once

#include <cstdint>

namespace bloometry {

// Limits of a config. Values above some of these limits would cause wrong results elsewhere,
// without an error message.

/// Maximum number of keys per role and trial. The item numbers 2i and 2i + 1 of a trial must be
/// below 2^48.
inline constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 47U;
/// Maximum number of queries per point. A trial with wrongful erases needs one further key per
/// query, so the limit is half of kMaxKeys.
inline constexpr std::uint64_t kMaxQueries = kMaxKeys / 2;
/// Maximum number of trials. The item numbers of trial t start at t * 2^48.
inline constexpr std::uint64_t kMaxTrials = std::uint64_t{1} << 16U;
/// Maximum of num_bits, num_counters and num_blocks. A double represents all whole numbers up to
/// 2^53 exactly.
inline constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 53U;
inline constexpr std::uint64_t kMaxChurnRounds = 1'000'000;
inline constexpr double kMaxBitsPerKey = 1e6;
inline constexpr double kMaxZipfExponent = 10;
inline constexpr std::uint64_t kMaxZipfRanks = 100'000'000;
inline constexpr std::size_t kMaxKeyLabelBytes = 40;
/// Maximum number of rows per config. A plan with more rows is probably a mistake, and the rows of
/// such a plan would not fit in memory.
inline constexpr std::uint64_t kMaxRows = 10'000'000;

}  // namespace bloometry
