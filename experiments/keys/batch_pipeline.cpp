#include "experiments/keys/batch_pipeline.hpp"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bloometry {
namespace {

/// The queue of batches from the workers to the caller. Batch number i uses slot i mod the number
/// of slots, so the caller consumes the batches in the order in which they were read.
class Pipeline {
 public:
  Pipeline(KeyInput& input, unsigned num_workers, const std::function<void(KeyBatch&)>& process)
      : input_(input), process_(process), slots_(2 * num_workers + 1) {
    workers_.reserve(num_workers);
    for (unsigned i = 0; i < num_workers; ++i) workers_.emplace_back([this] { work(); });
  }

  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  ~Pipeline() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    input_.stop();
    changed_.notify_all();
    for (std::jthread& worker : workers_) worker.join();
  }

  void consume_all(const std::function<void(KeyBatch&)>& consume) {
    for (std::uint64_t number = 0;; ++number) {
      Slot& slot = slot_of(number);
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return slot.state == State::kDone; });
      }
      if (slot.error) std::rethrow_exception(slot.error);
      if (slot.is_end) return;
      consume(slot.batch);
      set_state(slot, State::kFree);
    }
  }

 private:
  enum class State { kFree, kTaken, kDone };

  struct Slot {
    State state = State::kFree;
    bool is_end = false;  // true if the input ended before this slot was filled
    std::exception_ptr error{};
    KeyBatch batch{};
  };

  Slot& slot_of(std::uint64_t number) { return slots_[number % slots_.size()]; }

  void set_state(Slot& slot, State state) {
    {
      const std::lock_guard lock(mutex_);
      slot.state = state;
    }
    changed_.notify_all();
  }

  void work() {
    while (Slot* const slot = read_next()) {
      if (!slot->error && !slot->is_end) {
        try {
          process_(slot->batch);
        } catch (...) {
          slot->error = std::current_exception();
        }
      }
      set_state(*slot, State::kDone);
    }
  }

  /// Reads a batch into the next slot and returns the slot, or null at the end of the input.
  Slot* read_next() {
    const std::lock_guard reading(reading_);
    if (is_read_) return nullptr;
    Slot& slot = slot_of(num_read_);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_stopped_ || slot.state == State::kFree; });
      if (is_stopped_) return nullptr;
      slot.state = State::kTaken;
    }
    ++num_read_;
    try {
      slot.is_end = !input_.read(slot.batch);
    } catch (...) {
      slot.error = std::current_exception();
    }
    is_read_ = slot.is_end || slot.error != nullptr;
    return &slot;
  }

  KeyInput& input_;
  const std::function<void(KeyBatch&)>& process_;
  std::vector<Slot> slots_;

  std::mutex reading_;          // guards input_, num_read_, is_read_
  std::uint64_t num_read_ = 0;  // number of batches read
  bool is_read_ = false;        // true at the end of the input and after an error

  std::mutex mutex_;  // guards is_stopped_ and the states of the slots
  std::condition_variable changed_;
  bool is_stopped_ = false;

  std::vector<std::jthread> workers_;
};

}  // namespace

void for_each_batch(KeyInput& input, unsigned num_workers,
                    const std::function<void(KeyBatch&)>& process,
                    const std::function<void(KeyBatch&)>& consume) {
  if (num_workers > 0) return Pipeline(input, num_workers, process).consume_all(consume);
  KeyBatch batch;
  while (input.read(batch)) {
    process(batch);
    consume(batch);
  }
}

}  // namespace bloometry
