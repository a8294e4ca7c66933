#pragma once

#include <cstdint>
#include <vector>

#include "core/theory/fill_law.hpp"

namespace bloometry {

/// Tests the fills of successive filters with the same claim and load. The p-value is valid after
/// every filter.
///
/// For a tilt t, the factor e^(t (X - E X)) / E e^(t (X - E X)) of a fill X has expectation 1. The
/// product of the factors over filters is therefore a martingale. The mean of such products over a
/// grid of tilts of both signs is also a martingale. By Ville's inequality (sequential_test.hpp)
/// the mean reaches 1/alpha with probability at most alpha, whenever the test stops. The tilts are
/// 0.1 to 6.4 divided by the standard deviation of X. The smallest tilt detects a small deviation
/// within hundreds of fills. The largest tilt detects a gross error in the first fill.
class FillTest {
 public:
  explicit FillTest(const theory::FillLaw& law);

  void observe(std::uint64_t num_ones);

  /// Returns the logarithm of the current evidence, which is the mean over the tilts. At any
  /// stopping time, min(1, 1 / maximum evidence) is a p-value.
  [[nodiscard]] double log_evidence() const;
  [[nodiscard]] double p_value() const;

  [[nodiscard]] std::uint64_t num_fills() const noexcept { return num_fills_; }

  /// Returns the mean of the fills so far, or 0 before the first fill.
  [[nodiscard]] double mean_ones() const;

 private:
  struct Tilt {
    double theta = 0.0;
    double log_mgf = 0.0;
  };

  double expected_;
  std::vector<Tilt> tilts_;
  std::uint64_t num_fills_ = 0;
  double sum_ = 0.0;  // sum of X - E X
  double largest_log_evidence_ = 0.0;
};

}  // namespace bloometry
