#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/contract/generation_counts.hpp"

namespace bloometry {

/// Determines when the generations of a filter that forgets rotate, and counts their inserts.
///
/// A generation closes before insert g + 1, where g is its capacity, and not after insert g. The
/// newest generation is therefore never empty after an insert, which makes the window one key
/// longer (theory 7b).
///
/// The filter has cells of B generations, in a ring of B slots. For each key, it calls
/// `if (clock.is_full()) rotate(); clock.count_inserts(1);`. For a tick, it calls `rotate();
/// clock.count_tick();`. Its rotate() calls clock.rotate() and clears the cells of newest_slot(),
/// which held the oldest generation.
class GenerationClock {
 public:
  /// @param num_generations B, at least 1
  /// @param capacity g, the number of insert calls of a full generation, at least 1
  /// @param rotates_on_inserts whether a full generation closes before the next insert; otherwise
  /// only ticks close generations
  GenerationClock(std::size_t num_generations, std::uint64_t capacity, bool rotates_on_inserts)
      : num_inserted_(num_generations),
        capacity_(capacity),
        limit_(rotates_on_inserts ? capacity : std::numeric_limits<std::uint64_t>::max()) {}

  [[nodiscard]] std::size_t num_generations() const noexcept { return num_inserted_.size(); }

  /// Returns the slot of the newest generation.
  [[nodiscard]] std::size_t newest_slot() const noexcept { return newest_; }

  /// Returns the slot of the generation that is older by `age` rotations than the newest, for age
  /// below num_generations().
  [[nodiscard]] std::size_t slot_of_age(std::size_t age) const noexcept {
    return newest_ >= age ? newest_ - age : newest_ + num_inserted_.size() - age;
  }

  /// Returns whether the newest generation must close before the next insert.
  [[nodiscard]] bool is_full() const noexcept { return num_inserted_[newest_] == limit_; }

  /// Returns the number of inserts before which the newest generation need not close.
  [[nodiscard]] std::uint64_t num_until_full() const noexcept {
    return limit_ - num_inserted_[newest_];
  }

  /// Returns the number of inserts in the generation with the given age.
  [[nodiscard]] std::uint64_t num_inserted(std::size_t age) const noexcept {
    return num_inserted_[slot_of_age(age)];
  }

  void count_inserts(std::uint64_t num) noexcept { num_inserted_[newest_] += num; }

  void count_tick() noexcept { ++num_ticks_; }

  /// Closes the newest generation. The slot of the oldest becomes that of a new generation without
  /// inserts.
  void rotate() noexcept {
    num_closed_overfull_ += is_overfull();
    ++num_rotations_;
    newest_ = newest_ + 1 == num_inserted_.size() ? 0 : newest_ + 1;
    num_inserted_[newest_] = 0;
  }

  void clear() noexcept {
    num_inserted_.assign(num_inserted_.size(), 0);
    newest_ = 0;
    num_rotations_ = 0;
    num_ticks_ = 0;
    num_closed_overfull_ = 0;
  }

  [[nodiscard]] std::uint64_t num_ticks() const noexcept { return num_ticks_; }

  [[nodiscard]] std::uint64_t num_overfull() const noexcept {
    return num_closed_overfull_ + static_cast<std::uint64_t>(is_overfull());
  }

  [[nodiscard]] GenerationCounts counts() const {
    GenerationCounts counts{.num_inserted = {},
                            .num_rotations = num_rotations_,
                            .num_ticks = num_ticks_,
                            .num_overfull = num_overfull()};
    counts.num_inserted.reserve(num_inserted_.size());
    for (std::size_t age = 0; age < num_inserted_.size(); ++age) {
      counts.num_inserted.push_back(num_inserted(age));
    }
    return counts;
  }

  /// Continues with the counts of another clock.
  /// @pre the counts are possible for this clock (impossible_counts)
  void set_counts(const GenerationCounts& counts) noexcept {
    newest_ = counts.num_rotations % num_inserted_.size();
    num_rotations_ = counts.num_rotations;
    num_ticks_ = counts.num_ticks;
    for (std::size_t age = 0; age < num_inserted_.size(); ++age) {
      num_inserted_[slot_of_age(age)] = counts.num_inserted[age];
    }
    num_closed_overfull_ = counts.num_overfull - static_cast<std::uint64_t>(is_overfull());
  }

  [[nodiscard]] bool rotates_on_inserts() const noexcept { return limit_ == capacity_; }

  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }

  friend bool operator==(const GenerationClock&, const GenerationClock&) noexcept = default;

 private:
  [[nodiscard]] bool is_overfull() const noexcept { return num_inserted_[newest_] > capacity_; }

  std::vector<std::uint64_t> num_inserted_;  // by slot
  std::uint64_t capacity_;
  std::uint64_t limit_;  // number of inserts at which the newest generation is full
  std::size_t newest_ = 0;
  std::uint64_t num_rotations_ = 0;
  std::uint64_t num_ticks_ = 0;
  std::uint64_t num_closed_overfull_ = 0;
};

}  // namespace bloometry
