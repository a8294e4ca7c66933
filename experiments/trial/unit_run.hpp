#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/workload/digest_store.hpp"

namespace bloometry {

/// Thrown between blocks of keys once the run is cancelled; run_unit turns it into "no result".
struct Cancelled {};

/// Adds the time until its end to a phase.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& seconds) : seconds_(seconds) {}

  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  ~PhaseTimer() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A unit while it runs: where its keys come from, what its phases cost, how far it is.
struct UnitRun {
  const Unit& unit;
  const TrialContext& context;
  UnitTiming timing{};
  double work_per_operation = 1;

  [[nodiscard]] DigestStore& digests() const { return *context.digests; }

  /// Counts key operations that are done.
  /// @throws Cancelled if the run is to stop.
  void advance(std::uint64_t num_operations) const {
    if (context.num_operations != nullptr) {
      context.num_operations->fetch_add(num_operations, std::memory_order_relaxed);
    }
    if (context.work != nullptr) {
      const double work = static_cast<double>(num_operations) * work_per_operation;
      context.work->fetch_add(static_cast<std::uint64_t>(work), std::memory_order_relaxed);
    }
    if (context.cancelled != nullptr && context.cancelled->load(std::memory_order_relaxed)) {
      throw Cancelled{};
    }
  }

  /// Feeds every block of a cursor to visit: time in the cursor is hashing, time in visit is the
  /// phase's.
  template <class Visit>
  void for_each_block(DigestCursor cursor, double& phase_s, Visit visit) {
    while (true) {
      const std::span<const Digest> block = timed_next(cursor);
      if (block.empty()) return;
      {
        const PhaseTimer timer(phase_s);
        visit(block);
      }
      advance(block.size());
    }
  }

 private:
  std::span<const Digest> timed_next(DigestCursor& cursor) {
    const PhaseTimer timer(timing.hash_s);
    return cursor.next();
  }
};

/// Members of the unit, with the time of making them counted as hashing.
[[nodiscard]] inline DigestList shared_members(UnitRun& run, std::uint64_t num_keys) {
  const PhaseTimer timer(run.timing.hash_s);
  return run.digests().members(run.unit, num_keys);
}

/// The first `count` queries of the unit, likewise.
[[nodiscard]] inline DigestCursor shared_queries(UnitRun& run, std::uint64_t count) {
  const PhaseTimer timer(run.timing.hash_s);
  return run.digests().queries(run.unit, 0, count);
}

}  // namespace bloometry
