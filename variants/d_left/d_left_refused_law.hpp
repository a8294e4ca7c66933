#pragma once

#include <cstdint>

#include "core/theory/refused_inserts_law.hpp"

namespace bloometry::theory {

/// Returns the law of the number of refused inserts after n inserts of random keys into a table of
/// d subtables of B buckets of 8 cells, with remainders of R bits. The keys are more than those for
/// which the table is sized (theory 7c).
///
/// The number of different fingerprints of the keys has the law of the occupied boxes after n
/// throws into B 2^R boxes. Given this number, DLeftRefusedPath has the moments of the refused
/// fingerprints. A refused fingerprint is refused again whenever it is repeated. With short
/// remainders, repeated fingerprints determine how full the table is, so that the law is a mixture
/// over the number of different fingerprints.
///
/// The law is unknown above 16 keys per bucket, and if the table has too few buckets for the fluid
/// limit at this load. It is also unknown if two permutations of the table are equal or mirror
/// images (README.md), which occurs only below 2,816 fingerprints.
[[nodiscard]] RefusedInserts d_left_refused_law(std::uint64_t n, unsigned num_subtables,
                                                std::uint64_t buckets_per_subtable,
                                                unsigned remainder_bits);

}  // namespace bloometry::theory
