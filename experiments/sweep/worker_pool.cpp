#include "experiments/sweep/worker_pool.hpp"

#include <chrono>
#include <fmt/core.h>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

constexpr std::chrono::milliseconds kTimeBetweenLooks{50};
constexpr int kLooksPerReport = 4;

}  // namespace

WorkerPool::WorkerPool(std::span<const Unit> pending, std::span<const Unit> all, Engine engine,
                       DigestStore& digests, PartWriter& writer)
    : pending_(pending),
      always_checked_(always_checked_units(all)),
      engine_(engine),
      digests_(digests),
      writer_(writer) {}

void WorkerPool::run(unsigned num_threads, const std::atomic<bool>& interrupted,
                     const std::function<void()>& observe) {
  std::vector<std::jthread> threads;
  start(threads, num_threads);
  watch(interrupted, observe);
  for (std::jthread& thread : threads) thread.join();
  try {
    writer_.sync();
  } catch (const IoError&) {
    stop_with(std::current_exception());
  }
  if (error_) std::rethrow_exception(error_);
}

void WorkerPool::start(std::vector<std::jthread>& threads, unsigned num_threads) {
  try {
    for (unsigned i = 0; i < num_threads; ++i) {
      {
        const std::lock_guard lock(mutex_);
        ++num_working_;
      }
      threads.emplace_back([this] { work(); });
    }
  } catch (const std::system_error& error) {
    stop_with(std::make_exception_ptr(
        IoError(fmt::format("cannot start {} threads: {}", num_threads, error.what()))));
    const std::lock_guard lock(mutex_);
    --num_working_;
  }
}

/// Polls the interrupt flag and reports progress until the last worker has ended. Polling is
/// necessary, because a signal handler can set a flag but cannot wake a thread.
void WorkerPool::watch(const std::atomic<bool>& interrupted, const std::function<void()>& observe) {
  std::unique_lock lock(mutex_);
  for (int num_looks = 1; num_working_ > 0; ++num_looks) {
    worker_left_.wait_for(lock, kTimeBetweenLooks);
    if (interrupted) stopped_ = true;
    if (num_looks % kLooksPerReport != 0) continue;
    lock.unlock();
    observe();
    lock.lock();
  }
}

void WorkerPool::work() {
  try {
    for (std::size_t i = next_++; i < pending_.size() && !stopped_; i = next_++) {
      run_one(pending_[i]);
    }
  } catch (...) {
    stop_with(std::current_exception());
  }
  const std::lock_guard lock(mutex_);
  --num_working_;
  worker_left_.notify_one();
}

void WorkerPool::run_one(const Unit& unit) {
  try {
    std::optional<UnitResult> result = run_unit(unit, {.engine = engine_,
                                                       .digests = &digests_,
                                                       .cancelled = &stopped_,
                                                       .num_operations = &num_operations_,
                                                       .work = &work_,
                                                       .always_checked = &always_checked_,
                                                       .buffers = &buffers_});
    if (!result) return;
    digests_.release(unit);
    writer_.write(*result);
    ++num_finished_;
    const std::lock_guard lock(mutex_);
    results_.push_back(*std::move(result));
  } catch (const std::bad_alloc&) {
    throw out_of_memory(unit, engine_);
  }
}

void WorkerPool::stop_with(std::exception_ptr error) {
  stopped_ = true;
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
}

IoError out_of_memory(const Unit& unit, Engine engine) {
  return IoError(fmt::format(
      "not enough memory for unit {} ({}, {}, {} keys, trial {}): it needs {} bytes beside the "
      "shared digests",
      unit.id, unit.variant, size_text(unit.spec), unit.keys.name, unit.trial,
      unit_bytes(unit, engine).total()));
}

}  // namespace bloometry
