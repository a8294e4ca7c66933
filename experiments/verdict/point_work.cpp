#include "experiments/verdict/point_work.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <fmt/core.h>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kLeastItemsPerChunk =
    128;  // smaller chunks balance the load better, but share fewer laws
constexpr std::chrono::milliseconds kTimeBetweenReports{200};

/// The indices of items in the order of their points, and the positions at which chunks start.
struct WorkOrder {
  std::vector<std::size_t> items;
  std::vector<std::size_t> starts;  ///< start of each chunk, and the end of the last chunk
};

WorkOrder work_order(std::span<const TheoryPoint* const> points) {
  WorkOrder order{.items = std::vector<std::size_t>(points.size()), .starts = {0}};
  std::iota(order.items.begin(), order.items.end(), std::size_t{0});
  std::stable_sort(order.items.begin(), order.items.end(),
                   [&](std::size_t a, std::size_t b) { return *points[a] < *points[b]; });
  for (std::size_t i = 1; i < points.size(); ++i) {
    const bool is_new_point = *points[order.items[i - 1]] < *points[order.items[i]];
    if (is_new_point && i - order.starts.back() >= kLeastItemsPerChunk) order.starts.push_back(i);
  }
  order.starts.push_back(points.size());
  return order;
}

/// A distribution of chunks over threads with an atomic index.
class PointWork {
 public:
  using Work = std::function<void(std::size_t, TheoryCache&)>;

  PointWork(WorkOrder order, const Work& work) : order_(std::move(order)), work_(work) {}

  void run(const Workers& workers) {
    std::vector<std::jthread> threads;
    start(threads, workers.num_threads);
    watch(workers);
    for (std::jthread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void start(std::vector<std::jthread>& threads, unsigned num_threads) {
    num_working_ = num_threads;
    try {
      while (threads.size() < num_threads) threads.emplace_back([this] { take_chunks(); });
    } catch (const std::system_error& error) {
      next_ = num_chunks();
      throw IoError(fmt::format("cannot start {} threads: {}", num_threads, error.what()));
    }
  }

  void watch(const Workers& workers) {
    std::unique_lock lock(mutex_);
    while (
        !worker_left_.wait_for(lock, kTimeBetweenReports, [this] { return num_working_ == 0; })) {
      if (workers.observe) workers.observe(num_done_, order_.items.size());
    }
  }

  void take_chunks() {
    for (std::size_t chunk = next_++; chunk < num_chunks(); chunk = next_++) {
      try {
        run_chunk(chunk);
      } catch (...) {
        fail(chunk, std::current_exception());
      }
    }
    const std::lock_guard lock(mutex_);
    --num_working_;
    worker_left_.notify_one();
  }

  void run_chunk(std::size_t chunk) {
    TheoryCache cache;
    for (std::size_t i = order_.starts[chunk]; i < order_.starts[chunk + 1]; ++i) {
      work_(order_.items[i], cache);
      ++num_done_;
    }
  }

  /// Records an error and prevents the start of further chunks. All chunks before the failed chunk
  /// have been started and are completed.
  void fail(std::size_t chunk, std::exception_ptr error) {
    next_ = num_chunks();
    const std::lock_guard lock(mutex_);
    if (error_ && failed_chunk_ < chunk) return;
    failed_chunk_ = chunk;
    error_ = std::move(error);
  }

  [[nodiscard]] std::size_t num_chunks() const noexcept { return order_.starts.size() - 1; }

  WorkOrder order_;
  const Work& work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> num_done_ = 0;
  std::mutex mutex_;
  std::condition_variable worker_left_;
  unsigned num_working_ = 0;      // guarded by mutex_ once threads run
  std::size_t failed_chunk_ = 0;  // guarded by mutex_
  std::exception_ptr error_;      // guarded by mutex_
};

}  // namespace

void for_each_point(std::span<const TheoryPoint* const> points, const Workers& workers,
                    const std::function<void(std::size_t, TheoryCache&)>& work) {
  if (!points.empty()) PointWork(work_order(points), work).run(workers);
}

}  // namespace bloometry
