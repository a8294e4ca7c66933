#pragma once

#include <cstdint>
#include <functional>

#include "experiments/bench/stopwatch.hpp"

namespace bloometry::bench {

/// The callbacks of threads that work together, round by round.
struct RoundWork {
  std::uint64_t num_rounds = 0;
  /// Called by every thread before each round, without timing.
  std::function<void(unsigned thread, std::uint64_t round)> prepare;
  /// Called by every thread when all threads have prepared the round; the call is timed.
  std::function<void(unsigned thread)> work;
  /// Called by one thread after each round, with the time from the start of the first thread to the
  /// end of the last thread. A return value of false ends the rounds.
  std::function<bool(const Lap&)> after;
};

/// Runs the rounds with num_threads threads, including the caller. The threads wait for each other
/// by spinning, so that all threads start within a fraction of a microsecond.
/// @throws IoError if a thread cannot be started; in this case the callbacks were not called.
void run_rounds(unsigned num_threads, const RoundWork& work);

}  // namespace bloometry::bench
