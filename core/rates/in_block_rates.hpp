#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Computes F_B(j) for j = 0, 1, 2, ... in order. F_B(j) is the exact expected rate of a filter of
/// B cells with j keys and k probes per key. The rate of a filter of blocks is the mean of F_B(j)
/// over the number j of keys in a block. InBlockRates supports models W and D.
///
/// Method: let u be the number of cells that an absent key probes and no member has hit. One more
/// probe of a member hits one of the u cells with probability u/B. In model D, the i-th probe of a
/// member hits one of the u cells with probability u/(B-i). F_B(j) is the probability that u is 0
/// after jk probes. All terms of the sums are positive, so the relative error is about jk 1e-16. If
/// `power` is above 1, the result is E[F^power], where F is the rate given the state. E[F^power] is
/// the probability that `power` absent keys all test positive. The cost is O(k * power) per probe
/// of a member. Calls from several threads are not safe, because the object stores computed values.
class InBlockRates {
 public:
  /// Prepares the computation for j = 0. num_hashes must be in [1, block_cells].
  InBlockRates(ProbeModel model, unsigned block_cells, unsigned num_hashes, unsigned power = 1);

  double operator()(std::uint64_t num_keys);

 private:
  /// Returns the number of cells that probe i of a key cannot hit, because earlier probes of the
  /// key hit them.
  [[nodiscard]] double taken(unsigned i) const noexcept;
  /// Updates law_ for one more probe of an absent key.
  void add_query_probe(double taken);
  void insert_key();
  /// Returns whether the rate rounds to 1 for the current number of keys and for all larger
  /// numbers. The value of law_[0] is not sufficient for this decision, because rounding errors
  /// keep law_[0] about 1e-14 below 1.
  [[nodiscard]] bool is_full() const noexcept;

  ProbeModel model_;
  double block_cells_;
  unsigned num_hashes_;
  std::vector<double> law_;    // [u]
  std::vector<double> rates_;  // [j]
};

}  // namespace bloometry
