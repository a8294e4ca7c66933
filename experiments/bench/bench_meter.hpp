#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace bloometry::bench {

/// Progress of a benchmark.
struct BenchProgress {
  std::uint64_t num_steps = 0;  ///< planned steps, one per target and repetition
  std::uint64_t num_steps_done = 0;
  std::uint64_t num_keys = 0;  ///< number of keys inserted, queried and erased so far
  std::uint64_t num_keys_planned = 0;
  double elapsed_s = 0;
};

/// Thrown when a run is interrupted. run_bench() catches the exception; estimate_seconds() does
/// not.
struct Interrupted {};

/// Counts the steps and processed keys of a run and reports its progress.
class BenchMeter {
 public:
  BenchMeter(const std::atomic<bool>& interrupted,
             std::function<void(const BenchProgress&)> observe)
      : interrupted_(interrupted), observe_(std::move(observe)) {}

  void plan(std::uint64_t num_steps, std::uint64_t num_keys) {
    progress_.num_steps += num_steps;
    progress_.num_keys_planned += num_keys;
  }

  [[nodiscard]] bool is_interrupted() const { return interrupted_; }

  /// Adds to the number of processed keys. Throws Interrupted if the run is interrupted.
  void add_keys(std::uint64_t num_keys) {
    progress_.num_keys += num_keys;
    if (interrupted_) throw Interrupted{};
  }

  void add_steps(std::uint64_t num_steps) { progress_.num_steps_done += num_steps; }

  /// Reports progress a few times per second.
  void tell() {
    const Clock::time_point now = Clock::now();
    if (now - told_ < std::chrono::milliseconds(200) && !is_done()) return;
    told_ = now;
    progress_.elapsed_s = std::chrono::duration<double>(now - started_).count();
    observe_(progress_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_done() const { return progress_.num_steps_done == progress_.num_steps; }

  const std::atomic<bool>& interrupted_;
  std::function<void(const BenchProgress&)> observe_;
  BenchProgress progress_{};
  Clock::time_point started_ = Clock::now();
  Clock::time_point told_{};
};

}  // namespace bloometry::bench
