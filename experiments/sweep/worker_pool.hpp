#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/output/part_writer.hpp"
#include "experiments/trial/buffer_pool.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/workload/digest_store.hpp"

namespace bloometry {

/// A pool of threads that run units. Each thread gets its next unit from an atomic index and passes
/// the result to the writer. The first error stops all threads.
class WorkerPool {
 public:
  /// Stores references to the arguments, which must outlive the pool.
  /// @param all all units of the config, including finished units. The choice of units that are
  /// always checked depends on `all` and not on the remaining work.
  WorkerPool(std::span<const Unit> pending, std::span<const Unit> all, Engine engine,
             DigestStore& digests, PartWriter& writer);

  /// Runs units until all units are done, `interrupted` is set or an error occurs. run() calls
  /// `observe` five times per second. At its end, run() syncs all written units, and rethrows the
  /// error if an error occurred.
  void run(unsigned num_threads, const std::atomic<bool>& interrupted,
           const std::function<void()>& observe);

  /// Returns the results of the finished units and removes them from the pool. Must not be called
  /// during run().
  [[nodiscard]] std::vector<UnitResult> take_results() noexcept { return std::move(results_); }

  [[nodiscard]] std::uint64_t num_finished() const noexcept { return num_finished_; }

  [[nodiscard]] std::uint64_t num_operations() const noexcept { return num_operations_; }

  [[nodiscard]] std::uint64_t work_done() const noexcept { return work_; }

 private:
  void start(std::vector<std::jthread>& threads, unsigned num_threads);
  void work();
  void run_one(const Unit& unit);
  void stop_with(std::exception_ptr error);
  void watch(const std::atomic<bool>& interrupted, const std::function<void()>& observe);

  std::span<const Unit> pending_;
  std::set<std::string> always_checked_;
  Engine engine_;
  DigestStore& digests_;
  PartWriter& writer_;
  BufferPool buffers_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> num_finished_ = 0;
  std::atomic<std::uint64_t> num_operations_ = 0;
  std::atomic<std::uint64_t> work_ = 0;

  std::mutex mutex_;
  std::condition_variable worker_left_;
  unsigned num_working_ = 0;
  std::exception_ptr error_;
  std::vector<UnitResult> results_;
};

/// Returns the error `not enough memory for unit ...: it needs N bytes`.
[[nodiscard]] IoError out_of_memory(const Unit& unit, Engine engine);

}  // namespace bloometry
