#pragma once

#include <vector>

#include "experiments/bench/subject.hpp"

/// Adapters of other libraries' filters. Each is compiled only if the library is installed
/// (CMakeLists.txt); only peers.cpp lists them.
namespace bloometry::bench {

/// Returns the other libraries' filters with which this program was built.
[[nodiscard]] std::vector<SubjectKind> peer_subjects();

/// Returns variant_subjects(), then peer_subjects().
[[nodiscard]] std::vector<SubjectKind> all_subjects();

/// Adds libbloom: C, classic, MurmurHash2; Debian package libbloom-dev.
void add_libbloom(std::vector<SubjectKind>& kinds);

/// Adds Boost.Bloom of Boost 1.89 or later; batch calls from 1.90 on.
void add_boost_bloom(std::vector<SubjectKind>& kinds);

}  // namespace bloometry::bench
