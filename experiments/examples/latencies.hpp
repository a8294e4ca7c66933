#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

using Clock = std::chrono::steady_clock;

/// Returns the number of seconds since `start`.
[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A list of request latencies.
class Latencies {
 public:
  void add(Clock::duration time) { times_.push_back(time); }

  /// Adds the latencies of another list.
  void add(const Latencies& other) {
    times_.insert(times_.end(), other.times_.begin(), other.times_.end());
  }

  /// Returns the quantile `q` of the latencies, or 0 if the list is empty. A share `q` of the
  /// latencies is at most the quantile.
  [[nodiscard]] Clock::duration quantile(double q) const;

  /// Returns p50 and p99 in microseconds, such as `52 / 110`.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Clock::duration> times_;
};

}  // namespace bloometry::examples
