#pragma once

#include <cstdint>

namespace bloometry {

// Limits of a config. Larger values would break some other part silently.

/// Keys per role and trial: item numbers of a trial are 2i and 2i + 1 below 2^48.
inline constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 47U;
/// Queries per point: there may be as many candidates for wrongful erases.
inline constexpr std::uint64_t kMaxQueries = kMaxKeys / 2;
/// Trials: item numbers of trial t start at t * 2^48.
inline constexpr std::uint64_t kMaxTrials = std::uint64_t{1} << 16U;
/// num_bits and num_counters: whole numbers that a double represents exactly.
inline constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 53U;
inline constexpr std::uint64_t kMaxChurnRounds = 1'000'000;
inline constexpr double kMaxBitsPerKey = 1e6;
inline constexpr double kMaxZipfExponent = 10;
inline constexpr std::size_t kMaxKeyLabelBytes = 40;
/// Rows per config: a larger plan is a mistake, and its rows would not fit in memory.
inline constexpr std::uint64_t kMaxRows = 10'000'000;

}  // namespace bloometry
