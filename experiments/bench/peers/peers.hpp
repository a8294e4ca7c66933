#pragma once

#include <vector>

#include "experiments/bench/target.hpp"

/// Adapters of other libraries' filters. CMakeLists.txt compiles an adapter only if its library is
/// installed. Only peers.cpp lists the adapters.
namespace bloometry::bench {

/// Returns the filters of the other libraries that were available when this program was built.
[[nodiscard]] std::vector<TargetKind> peer_targets();

/// Returns variant_targets(), followed by peer_targets().
[[nodiscard]] std::vector<TargetKind> all_targets();

/// Adds the filter of libbloom, a classic Bloom filter in C with MurmurHash2 (Debian package
/// libbloom-dev).
void add_libbloom(std::vector<TargetKind>& kinds);

/// Adds the filters of Boost.Bloom (Boost 1.89 or later). Batch calls require Boost 1.90 or later.
void add_boost_bloom(std::vector<TargetKind>& kinds);

}  // namespace bloometry::bench
