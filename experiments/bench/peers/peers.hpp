#pragma once

#include <vector>

#include "experiments/bench/target.hpp"

/// Adapters of other libraries' filters. Each is compiled only if the library is installed
/// (CMakeLists.txt); only peers.cpp lists them.
namespace bloometry::bench {

/// Returns the other libraries' filters with which this program was built.
[[nodiscard]] std::vector<TargetKind> peer_targets();

/// Returns variant_targets(), followed by peer_targets().
[[nodiscard]] std::vector<TargetKind> all_targets();

/// Adds libbloom, a classic Bloom filter in C with MurmurHash2 (Debian package libbloom-dev).
void add_libbloom(std::vector<TargetKind>& kinds);

/// Adds Boost.Bloom of Boost 1.89 or later. Batch calls require Boost 1.90 or later.
void add_boost_bloom(std::vector<TargetKind>& kinds);

}  // namespace bloometry::bench
