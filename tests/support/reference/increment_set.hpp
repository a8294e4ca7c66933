#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/theory/pass_table.hpp"

/// Counting filters with variable increments beyond D_L = {L, ..., 2L-1}: an independent form that
/// core/theory is compared with. n keys, m cells, k hashes, model W, saturation left out.
namespace bloometry::test {

using theory::PassTable;

/// The set D that increments of a counting filter are drawn from, uniformly, and the query rule of
/// a filter that stores their sum: increment v passes on counter c iff c - v is 0 or a sum of
/// elements of D (theory 5.5, "general D"; Rottenstreich et al. 2012). For D_L = {L, ..., 2L-1}
/// this is the local rule c - v = 0 or c - v >= L.
class IncrementSet {
 public:
  /// @throws std::domain_error if the set is empty or holds 0, a number above 4096, or one twice.
  explicit IncrementSet(std::vector<unsigned> increments);

  /// D_L = {L, L+1, ..., 2L-1}.
  static IncrementSet consecutive(unsigned L);

  std::span<const unsigned> increments() const { return increments_; }

  std::size_t size() const { return increments_.size(); }

  unsigned smallest() const { return increments_.front(); }

  unsigned largest() const { return increments_.back(); }

  /// Whether increment v passes on counter c, c a sum of elements of D.
  bool passes(std::uint64_t counter, unsigned increment) const;

  /// How many elements of D pass on it.
  std::size_t num_passing(std::uint64_t counter) const;

 private:
  std::vector<unsigned> increments_;  // rising
  std::vector<bool> is_sum_;          // [c] up to the largest gap; beyond it every multiple is one
};

/// pass(b, t) = E[(num_passing(c)/|D|)^b], c the sum of t uniform elements: for the occupancy
/// chain, b = 1..k. Saturation is not part of it.
/// @throws std::domain_error if k is 0, or if more than 256 increments in a cell (fewer for large
/// sets) may leave a probe undecided.
PassTable increment_set_pass_table(unsigned k, const IncrementSet& set);

/// The same for a B_h-CBF over a B_h sequence of `ell` increments, which decodes up to h of them in
/// a cell from their number and sum: pass(b, t) = E[(d/ell)^b], d the distinct values among t <= h
/// uniform draws, and 1 for t > h. It depends on the sequence by its length only. Derived here
/// (theory 5.2 has the independent form).
/// @throws std::domain_error if k, ell or h is 0, or h above 4096.
PassTable bh_pass_table(unsigned k, unsigned ell, unsigned h);

/// Whether all sums of h elements, repetition allowed, are distinct: B_h, and then B_j for j < h.
/// By listing them, at most 10^7. @throws std::domain_error if h is 0 or there are more.
bool is_bh_sequence(const IncrementSet& set, unsigned h);

/// The occupancy chain over these pass tables: exact rates. All throw std::domain_error for m or
/// k = 0 and as the tables do.
/// Sums of increments from any set D, queried by reachable sums.
double increment_set_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set);

/// B_h-CBF with ell increments, exact.
double bh_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h);

/// [1 - sum_{j=0..h} (1-1/ell)^j Bin(nk,1/m)(j)]^k: the cells taken as independent (theory 5.2).
/// 1.4e-4 relative below exact at (1000, 5000, 4, ell 4, h 2).
double bh_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h);

/// P(sum of the increments of one counter >= at_least): sums of positive terms, full relative
/// precision far into the tail (theory 5.5).
/// Poisson(load) increments, load = nk/m. @throws std::domain_error for a load that is negative or
/// not finite.
double increment_tail_poisson(double load, const IncrementSet& set, std::uint64_t at_least);

/// Bin(nk, 1/m) increments: the exact law of one counter, one increment per probe.
/// @throws std::domain_error for m or k = 0.
double increment_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set, std::uint64_t at_least);

}  // namespace bloometry::test
