#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Upper bounds of the rate of a block whose lanes take their bits from one word per key, so that
/// the lanes are not independent (theory 6.2). Two words agree in a lane if they select the same
/// bit of the lane. A query tests positive if it agrees in each lane with at least one member.
namespace bloometry::theory {

/// How many of all words agree with a given word in s given lanes. The word itself is counted.
struct LaneAgreement {
  std::uint64_t least = 0;      ///< minimum over all words and all sets of s lanes
  std::uint64_t most = 0;       ///< maximum over all words and all sets of s lanes
  std::uint64_t num_pairs = 0;  ///< ordered pairs of words that agree, summed over all sets
};

/// Agreements of a scheme, which are found by enumeration.
struct LaneAgreements {
  double num_words = 0;                      ///< number of equally likely words
  std::span<const LaneAgreement> by_size{};  ///< element s - 1 is for sets of s lanes
};

/// Agreements of the 2^32 words of Parquet's scheme in its eight lanes. The hidden tests "lane
/// agreement" with the tag [.long] enumerate all words, which takes about 30 minutes. For seven
/// lanes, `most` is that of six lanes.
[[nodiscard]] const LaneAgreements& parquet_agreements() noexcept;

/// Returns proven upper bounds of the rate of a block with j = 0, ..., length - 1 members of random
/// words. The bounds rise with j and are at most 1. For one member, the bound is the rate. The
/// relative rounding error is below 1e-12.
///
/// Method: a member is wide if it agrees with the query in at least L lanes. Either the other
/// members cover the query, or a wide member and the members beside it do. The first probability is
/// at most that of a chain in which each member covers any given set of s < L lanes, and no others,
/// with the largest probability that a word has. The second is at most the mean number of wide
/// members times the largest probability that the members beside it cover the remaining lanes. The
/// result is the least bound for any L.
[[nodiscard]] std::vector<double> block_rate_bounds(const LaneAgreements& agreements,
                                                    std::size_t length);

/// Returns a proven upper bound of the rate of n keys in z blocks with Parquet's scheme and uniform
/// 64-bit hashes . The collisions of equal hashes are included. For n = 1, the
/// bound is the rate.
double parquet_rate_bound(std::uint64_t n, std::uint64_t num_blocks);

}  // namespace bloometry::theory
