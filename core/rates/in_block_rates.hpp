#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// F_B(j): the exact expected rate of a filter of B cells with j = 0, 1, 2, ... keys of k probes,
/// all j one after the other: what the mean over the blocks of a filter is taken of. Models W and
/// D.
///
/// Method: of the cells that an absent key probes, u are not hit yet; one more probe of a member
/// hits one of them with probability u/B (in model D, the i-th of a key, u/(B-i)); F_B(j) is the
/// probability that u is 0 after jk probes. Sums of positive terms: relative error about jk 1e-16.
/// With `power` above 1 it is E[F^power] instead, F the rate given the state: of so many absent
/// keys all pass. Cost O(k * power) a probe of a member: 50 microseconds for 150 keys at k = 8. Not
/// safe for concurrent use: it remembers what it has computed.
class InBlockRates {
 public:
  /// num_hashes in [1, block_cells].
  InBlockRates(ProbeModel model, unsigned block_cells, unsigned num_hashes, unsigned power = 1);

  double operator()(std::uint64_t num_keys);

 private:
  /// Of the cells that probe i of a key chooses from, `taken` are out, as probes before it had
  /// them.
  [[nodiscard]] double taken(unsigned i) const noexcept;
  /// One more probe of an absent key.
  void ask(double taken);
  void insert_key();
  /// Whether 1 is the nearest number to the rate, here and with more keys. law_[0] alone does not
  /// tell: rounding keeps it some 1e-14 from 1.
  [[nodiscard]] bool is_full() const noexcept;

  ProbeModel model_;
  double block_cells_;
  unsigned num_hashes_;
  std::vector<double> law_;    // [u]
  std::vector<double> rates_;  // [j]
};

}  // namespace bloometry
