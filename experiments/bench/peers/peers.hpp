#pragma once

#include <vector>

#include "experiments/bench/subject.hpp"

/// Adapters of other libraries' filters. Each is compiled only where the library is installed
/// (CMakeLists.txt); peers.cpp alone knows which there are.
namespace bloometry::bench {

/// Other libraries' filters, as far as this program was built with them.
[[nodiscard]] std::vector<SubjectKind> peer_subjects();

/// variant_subjects(), then peer_subjects().
[[nodiscard]] std::vector<SubjectKind> all_subjects();

/// libbloom: C, classic, MurmurHash2; Debian package libbloom-dev.
void add_libbloom(std::vector<SubjectKind>& kinds);

/// Boost.Bloom of Boost 1.89 or later; batch calls from 1.90 on.
void add_boost_bloom(std::vector<SubjectKind>& kinds);

}  // namespace bloometry::bench
