#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace bloometry {

/// The Zipf law over ranks 1 to N: rank r has a probability proportional to r^-s. The law is that
/// of integer weights llround(2^32 r^-s), so the same random words select the same ranks on every
/// machine. Rounding changes the law by a total variation of at most N / 2^33: 0.0012 for N = 10^7.
class ZipfRanks {
 public:
  /// Creates the law. Laws of equal arguments share their weights, of 12 to 16 bytes per rank.
  /// @param exponent exponent s > 0
  /// @param num_ranks N in [1, 10^8]
  ZipfRanks(double exponent, std::uint64_t num_ranks);

  /// Returns the index of the rank, from 0, that a uniform random word selects.
  [[nodiscard]] std::uint64_t rank(std::uint64_t word) const noexcept;

 private:
  struct Weights;

  [[nodiscard]] static std::shared_ptr<const Weights> shared_weights(double exponent,
                                                                     std::uint64_t num_ranks);

  std::shared_ptr<const Weights> weights_;
};

}  // namespace bloometry
