#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/theory/pass_table.hpp"

/// Rates of counting filters with variable increments from sets other than D_L = {L, ..., 2L-1}.
/// The functions are an independent implementation, which tests compare with core/theory. A filter
/// has n keys, m cells, k hashes and model W. Saturation is ignored.
namespace bloometry::test {

using theory::PassTable;

/// The set D of the increments of a counting filter, and the query rule of a filter that stores the
/// sum of increments. Increments are drawn uniformly from D. Increment v passes on counter c if and
/// only if the difference c - v is 0 or a sum of elements of D. For D_L = {L, ..., 2L-1}, this is
/// equivalent to the local rule that c - v is 0 or at least L. Source: theory 5.5, "general D";
/// Rottenstreich et al. 2012.
class IncrementSet {
 public:
  /// Creates the set.
  /// @throws std::domain_error if the set is empty or contains 0, a number above 4096, or a
  /// repeated number.
  explicit IncrementSet(std::vector<unsigned> increments);

  /// Returns D_L = {L, L+1, ..., 2L-1}.
  static IncrementSet consecutive(unsigned L);

  std::span<const unsigned> increments() const { return increments_; }

  std::size_t size() const { return increments_.size(); }

  unsigned smallest() const { return increments_.front(); }

  unsigned largest() const { return increments_.back(); }

  /// Returns whether increment v passes on counter c, where c is a sum of elements of D.
  bool passes(std::uint64_t counter, unsigned increment) const;

  /// Returns how many elements of D pass on the given counter.
  std::size_t num_passing(std::uint64_t counter) const;

 private:
  std::vector<unsigned> increments_;  // ascending
  std::vector<bool> is_sum_;          // by c, up to the largest gap; later multiples are sums
};

/// Returns pass(b, t) = E[(num_passing(c)/|D|)^b] for b = 1..k, where c is the sum of t uniform
/// elements of D. The table is the input of the occupancy chain. The table does not include
/// saturation.
/// @throws std::domain_error if k is 0, or if more than 256 increments in a cell (fewer for large
/// sets) may leave a probe undecided.
PassTable increment_set_pass_table(unsigned k, const IncrementSet& set);

/// Returns the pass table of a B_h-CBF over a B_h sequence of `ell` increments. The filter decodes
/// up to h increments in a cell from their number and sum. The entry pass(b, t) is E[(d/ell)^b],
/// where d is the number of distinct values among t <= h uniform draws. For t > h, pass(b, t) = 1.
/// The table depends only on the length of the sequence. Theory 5.2 contains an independent form of
/// the table.
/// @throws std::domain_error if k, ell or h is 0, or if h exceeds 4096.
PassTable bh_pass_table(unsigned k, unsigned ell, unsigned h);

/// Returns whether all sums of h elements, with repetition, are distinct. If the result is true,
/// the set is B_h, and also B_j for every j < h. The function lists all sums, at most 10^7.
/// @throws std::domain_error if h is 0 or there are more than 10^7 sums.
bool is_bh_sequence(const IncrementSet& set, unsigned h);

/// Returns the exact rate of a filter with increments from any set D, computed by the occupancy
/// chain with increment_set_pass_table().
/// @throws std::domain_error for m or k = 0, and as increment_set_pass_table().
double increment_set_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set);

/// Returns the exact rate of the B_h-CBF with ell increments.
/// @throws std::domain_error for m or k = 0, and as bh_pass_table().
double bh_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h);

/// Returns [1 - sum_{j=0..h} (1-1/ell)^j Bin(nk,1/m)(j)]^k, with the cells treated as independent
/// (theory 5.2). For (n, m, k, ell, h) = (1000, 5000, 4, 4, 2), the result is (1 - 1.4e-4) times
/// the exact rate.
double bh_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h);

/// Returns P(sum of the increments of one counter >= at_least) for Poisson(load) increments, where
/// load = nk/m. All terms of the sum are positive, so the result has full relative precision far
/// into the tail (theory 5.5).
/// @throws std::domain_error for a load that is negative or not finite.
double increment_tail_poisson(double load, const IncrementSet& set, std::uint64_t at_least);

/// Returns P(sum of the increments of one counter >= at_least) for Bin(nk, 1/m) increments, the
/// exact law for one increment per probe.
/// @throws std::domain_error for m or k = 0.
double increment_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set, std::uint64_t at_least);

}  // namespace bloometry::test
