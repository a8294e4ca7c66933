#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

using Clock = std::chrono::steady_clock;

/// Seconds since then.
[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Times of single requests.
class Latencies {
 public:
  void add(Clock::duration time) { times_.push_back(time); }

  /// The smallest time that a share `q` of the requests does not exceed; 0 without a request.
  [[nodiscard]] Clock::duration quantile(double q) const;

  /// `52 / 110`: p50 and p99 in microseconds.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Clock::duration> times_;
};

}  // namespace bloometry::examples
