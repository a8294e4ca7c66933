#include "experiments/bench/thread_rounds.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/store/memory.hpp"

namespace bloometry::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// A barrier at which threads wait by spinning.
class SpinBarrier {
 public:
  explicit SpinBarrier(unsigned num_threads) noexcept : num_threads_(num_threads) {}

  void wait() noexcept {
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (num_waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == num_threads_) {
      num_waiting_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return;
    }
    // Number of spins before a thread yields. A preempted thread may need the core of the spinning
    // thread.
    constexpr unsigned kSpinsBeforeYield = 10'000;
    for (unsigned i = 0; phase_.load(std::memory_order_acquire) == phase; ++i) {
      if (i > kSpinsBeforeYield) std::this_thread::yield();
    }
  }

 private:
  const unsigned num_threads_;
  alignas(kCacheLineBytes) std::atomic<unsigned> num_waiting_ = 0;
  alignas(kCacheLineBytes) std::atomic<std::uint64_t> phase_ = 0;
};

/// The begin and end of one thread's part of a round. Each part has its own cache line, because all
/// threads write their parts at the same time.
struct alignas(kCacheLineBytes) Part {
  Clock::time_point begin{};
  Clock::time_point end{};
  bool was_preempted = false;
};

Lap lap_of(const std::vector<Part>& parts) {
  const auto begins_first = [](const Part& a, const Part& b) { return a.begin < b.begin; };
  const auto ends_first = [](const Part& a, const Part& b) { return a.end < b.end; };
  const auto begin = std::min_element(parts.begin(), parts.end(), begins_first)->begin;
  const auto end = std::max_element(parts.begin(), parts.end(), ends_first)->end;
  return {.ns = std::chrono::duration<double, std::nano>(end - begin).count(),
          .was_preempted = std::any_of(parts.begin(), parts.end(),
                                       [](const Part& part) { return part.was_preempted; })};
}

class Rounds {
 public:
  Rounds(unsigned num_threads, const RoundWork& work)
      : work_(work), barrier_(num_threads), parts_(num_threads) {}

  /// Runs the rounds of one thread.
  void run(unsigned thread) {
    for (std::uint64_t round = 0; round < work_.num_rounds; ++round) {
      work_.prepare(thread, round);
      // A thread that yielded its core while it waited starts late. A yield therefore counts as a
      // preemption as well.
      const std::int64_t switches_before = num_switches();
      barrier_.wait();
      if (is_ended_) return;
      Part& part = parts_[thread];
      part.begin = Clock::now();
      work_.work(thread);
      part.end = Clock::now();
      part.was_preempted = num_switches() != switches_before;
      barrier_.wait();
      // During this call, the other threads prepare the next round. The other threads cannot begin
      // the next round before this thread arrives at the barrier.
      if (thread == 0) is_ended_ = !work_.after(lap_of(parts_));
    }
  }

 private:
  const RoundWork& work_;
  SpinBarrier barrier_;
  std::vector<Part> parts_;
  bool is_ended_ = false;  // written between two barriers
};

/// Threads that wait for a signal. The signal starts the threads, or cancels the run so that the
/// threads exit.
class Helpers {
 public:
  template <class Run>
  Helpers(unsigned num_helpers, Run run) {
    try {
      for (unsigned i = 1; i <= num_helpers; ++i) {
        threads_.emplace_back([this, run, i] {
          is_told_.wait(false);
          if (!is_cancelled_) run(i);
        });
      }
    } catch (const std::system_error& error) {
      is_cancelled_ = true;
      begin();
      throw IoError(std::string("cannot start a thread: ") + error.what());
    }
  }

  void begin() {
    is_told_ = true;
    is_told_.notify_all();
  }

 private:
  std::atomic<bool> is_told_ = false;
  bool is_cancelled_ = false;          // written before the signal
  std::vector<std::jthread> threads_;  // last member, so that threads end before their data
};

}  // namespace

void run_rounds(unsigned num_threads, const RoundWork& work) {
  Rounds rounds(num_threads, work);
  Helpers helpers(num_threads - 1, [&rounds](unsigned thread) { rounds.run(thread); });
  helpers.begin();
  rounds.run(0);
}

}  // namespace bloometry::bench
