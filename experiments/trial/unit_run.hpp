#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/workload/digest_store.hpp"

namespace bloometry {

/// The exception that is thrown between blocks of keys if the run is cancelled. run_unit() catches
/// a Cancelled and returns nullopt.
struct Cancelled {};

/// A timer that adds the time between its construction and its destruction to a phase.
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

/// The state of a running unit: the source of its keys, the times of its phases, and its progress.
struct UnitRun {
  const Unit& unit;
  const TrialContext& context;
  UnitTiming timing{};
  double work_per_operation = 1;

  [[nodiscard]] DigestStore& digests() const { return *context.digests; }

  /// Counts completed key operations. @throws Cancelled if the run is cancelled
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

  /// Passes every block of a cursor to visit(). The function adds the time in the cursor to the
  /// hashing phase, and the time in visit() to the given phase.
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

/// Returns the members of the unit, and adds the time for making the members to the hashing phase.
[[nodiscard]] inline DigestList shared_members(UnitRun& run, std::uint64_t num_keys) {
  const PhaseTimer timer(run.timing.hash_s);
  return run.digests().members(run.unit, num_keys);
}

/// Returns the first `count` queries of the unit, and adds the time for making the queries to the
/// hashing phase.
[[nodiscard]] inline DigestCursor shared_queries(UnitRun& run, std::uint64_t count) {
  const PhaseTimer timer(run.timing.hash_s);
  return run.digests().queries(run.unit, 0, count);
}

}  // namespace bloometry
