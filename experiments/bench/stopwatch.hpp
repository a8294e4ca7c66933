#pragma once

#include <chrono>
#include <cstdint>

namespace bloometry::bench {

/// Returns the number of times that the scheduler has preempted the calling thread.
[[nodiscard]] std::int64_t num_preemptions() noexcept;

/// Returns num_preemptions() plus the number of times that the calling thread has waited
/// voluntarily.
[[nodiscard]] std::int64_t num_switches() noexcept;

/// Wall time of a piece of work, and whether the thread was preempted during the work. The time of
/// a preempted thread includes the time of other processes. Cost: two system calls outside the
/// measured time.
struct Lap {
  double ns = 0;
  bool was_preempted = false;
};

template <class Work>
Lap timed(Work work) {
  using Clock = std::chrono::steady_clock;
  const std::int64_t preemptions_before = num_preemptions();
  const Clock::time_point begin = Clock::now();
  work();
  const Clock::time_point end = Clock::now();
  return {.ns = std::chrono::duration<double, std::nano>(end - begin).count(),
          .was_preempted = num_preemptions() != preemptions_before};
}

/// Time per key over many laps. Preempted laps are discarded, unless all laps are preempted. Rare
/// work of the filter itself (a new stage, the first touch of a page) is included, unlike in a
/// median over laps.
class Tally {
 public:
  void add(const Lap& lap, std::uint64_t num_keys) noexcept {
    Part& part = lap.was_preempted ? preempted_ : undisturbed_;
    part.ns += lap.ns;
    part.num_keys += num_keys;
    ++part.num_laps;
  }

  void add(const Tally& other) noexcept {
    undisturbed_.add(other.undisturbed_);
    preempted_.add(other.preempted_);
  }

  /// Returns the time per key in ns; requires at least one lap.
  [[nodiscard]] double ns_per_key() const noexcept {
    const Part& part = undisturbed_.num_keys > 0 ? undisturbed_ : preempted_;
    return part.ns / static_cast<double>(part.num_keys);
  }

  [[nodiscard]] std::uint64_t num_laps() const noexcept {
    return undisturbed_.num_laps + preempted_.num_laps;
  }

  [[nodiscard]] std::uint64_t num_preempted_laps() const noexcept { return preempted_.num_laps; }

 private:
  struct Part {
    double ns = 0;
    std::uint64_t num_keys = 0;
    std::uint64_t num_laps = 0;

    void add(const Part& other) noexcept {
      ns += other.ns;
      num_keys += other.num_keys;
      num_laps += other.num_laps;
    }
  };

  Part undisturbed_;
  Part preempted_;
};

}  // namespace bloometry::bench
