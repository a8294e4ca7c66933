#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

using Clock = std::chrono::steady_clock;

/// Returns the seconds since `start`.
[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A list of request latencies.
class Latencies {
 public:
  void add(Clock::duration time) { times_.push_back(time); }

  /// Returns the smallest time that a share `q` of the requests does not exceed, or 0 without a
  /// request.
  [[nodiscard]] Clock::duration quantile(double q) const;

  /// Returns p50 and p99 in microseconds: `52 / 110`.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Clock::duration> times_;
};

}  // namespace bloometry::examples
