#pragma once

#include <cstdint>
#include <vector>

namespace bloometry::theory {

/// Moments of the number of refused fingerprints of a d-left filter, and of its empty cells (theory
/// 7c). All inserted fingerprints are different.
struct DLeftRefusedInserts {
  double fluid_mean = 0;   ///< expected number of refused fingerprints in the fluid limit
  double correction = 0;   ///< correction of the expected number for finite B, of order 1
  double variance = 0;     ///< variance of the number of refused fingerprints
  double empty_cells = 0;  ///< expected number of empty cells in the fluid limit

  /// Returns the correction as a share of the fluid mean, or 0 if both are 0.
  [[nodiscard]] double relative_correction() const noexcept;

  /// Returns the expected number: the fluid mean times e^(relative correction). To first order,
  /// this is fluid_mean + correction.
  [[nodiscard]] double mean() const noexcept;
};

/// The moments during the inserts of different random fingerprints into a table of d subtables of B
/// buckets of 8 cells.
///
/// The loads of the buckets are a Markov chain, if each key has d independent random buckets. The
/// fluid limit of the chain is the differential equation of d_left_insert_only_tails, in which keys
/// with d full buckets are refused. The fluctuations around it follow a linear differential
/// equation for their covariance (Kurtz 1971; van Kampen's expansion). The constructor uses
/// Runge-Kutta of fourth order with steps of B/20 inserts, and the relative error of the
/// integration is 1e-7. For 8 keys per bucket, it needs 10 ms for d = 4 and 0.15 s for d = 8.
class DLeftRefusedPath {
 public:
  /// Computes the moments up to `most` fingerprints.
  /// @throws std::domain_error unless 1 <= d <= 16, B >= 1 and 0 <= most <= 1000 d B
  DLeftRefusedPath(double most, unsigned num_subtables, std::uint64_t buckets_per_subtable);

  /// Returns the moments after a number of fingerprints, which is at most `most`.
  [[nodiscard]] DLeftRefusedInserts at(double num_fingerprints) const noexcept;

 private:
  double step_ = 0;  // fingerprints between two moments
  std::vector<DLeftRefusedInserts> moments_;
};

}  // namespace bloometry::theory
