#pragma once

#include <cstdint>

namespace bloometry::theory {

/// Moments of the number of refused inserts of a d-left filter, and of its empty cells (theory 7c).
struct DLeftRefusedInserts {
  double fluid_mean = 0;   ///< expected number of refused inserts in the fluid limit
  double correction = 0;   ///< correction of the expected number for finite B, of order 1
  double variance = 0;     ///< variance of the number of refused inserts
  double empty_cells = 0;  ///< expected number of empty cells in the fluid limit

  /// Returns the correction as a share of the fluid mean, or 0 if both are 0.
  [[nodiscard]] double relative_correction() const noexcept;

  /// Returns the expected number: the fluid mean times e^(relative correction). To first order,
  /// this is fluid_mean + correction.
  [[nodiscard]] double mean() const noexcept;
};

/// Returns the moments after n inserts of random keys into a table of d subtables of B buckets of 8
/// cells, with remainders of R bits.
///
/// The loads of the buckets are a Markov chain, if each key has d independent random buckets. The
/// fluid limit of the chain is the differential equation of d_left_insert_only_tails, in which keys
/// with d full buckets are refused. The fluctuations around it follow a linear differential
/// equation for their covariance (Kurtz 1971; van Kampen's expansion). A key whose fingerprint is
/// in the table is counted there, and a key whose fingerprint was refused is refused again. The
/// function uses Runge-Kutta of fourth order with steps of B/20 inserts, and the relative error of
/// the integration is 1e-7. It needs 10 ms for d = 4 and 0.15 s for d = 8.
///
/// The function requires 1 <= d <= 16, B >= 1, R in 1..64 and n <= 1000 d B.
[[nodiscard]] DLeftRefusedInserts d_left_refused_inserts(std::uint64_t n, unsigned num_subtables,
                                                         std::uint64_t buckets_per_subtable,
                                                         unsigned remainder_bits);

}  // namespace bloometry::theory
