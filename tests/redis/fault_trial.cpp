#include "tests/redis/fault_trial.hpp"

#include <array>
#include <exception>
#include <stdexcept>
#include <thread>

namespace bloometry::test {

using std::chrono::steady_clock;

bool FaultTrial::is_time_up() const {
  return steady_clock::now() - begin_ > size_.time_limit;
}

void FaultTrial::run(const std::function<void()>& disturb) {
  std::exception_ptr what_disturbance_threw;
  std::thread disturber([&] {
    try {
      for (unsigned round = 0; round < size_.num_rounds || num_queries_ < size_.num_queries;
           ++round) {
        if (is_time_up()) throw std::runtime_error("too few rounds or queries in the time limit");
        disturb();
      }
    } catch (...) {
      what_disturbance_threw = std::current_exception();
    }
    is_over_ = true;
  });
  std::exception_ptr what_call_threw;
  while (!is_over_) {
    try {
      call();
    } catch (...) {
      what_call_threw = std::current_exception();
    }
    num_queries_ = stream_.tally().num_queries;
    ++num_calls_;
  }
  disturber.join();
  if (what_disturbance_threw) std::rethrow_exception(what_disturbance_threw);
  if (what_call_threw) std::rethrow_exception(what_call_threw);
}

void FaultTrial::call() {
  constexpr std::array<std::size_t, 7> kBatches = {0, 1, 7, 90, 0, 1000, 2500};
  const std::size_t num_keys = kBatches[next_size_++ % kBatches.size()];
  const auto failure = num_keys == 0 ? stream_.query_next_member(filter_.filter)
                                     : stream_.query_next_members(filter_.filter, num_keys);
  if (failure != RedisFailure::kMissing && failure != RedisFailure::kChanged) return;
  const std::scoped_lock lock(reopening_);
  if (!reopens_) return;
  try {
    filter_.filter.reopen();
  } catch (const RedisError&) {
    // The filter does not exist yet. The next call reports the error.
  }
}

void FaultTrial::wait_for_calls() const {
  // The first of the three calls may have begun before this function.
  const std::uint64_t enough = num_calls_ + 3;
  const auto limit = steady_clock::now() + std::chrono::seconds(20);
  while (num_calls_ < enough) {
    if (steady_clock::now() > limit) throw std::runtime_error("a query does not return");
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

std::uint64_t FaultTrial::random_below(std::uint64_t bound) {
  return random_() % bound;
}

void FaultTrial::wait_randomly() {
  std::this_thread::sleep_for(std::chrono::microseconds(random_below(3000)));
}

void FaultTrial::set_reopens(bool reopens) {
  const std::scoped_lock lock(reopening_);
  reopens_ = reopens;
}

}  // namespace bloometry::test
