#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "core/contract/window.hpp"

namespace bloometry::test {

/// A key of the test. Keys are small integers, so an array can represent a multiset of keys.
using Key = std::uint64_t;

/// The exact multiset of a filter's keys, and the guarantees that the filter must satisfy.
///
/// A key's count increases by one per insert and decreases by one per successful erase. The count
/// is negative if the key was erased more often than inserted. For a cell, let s be the sum over
/// all keys of the key's count times the key's addition to the cell.
///
/// Guarantees of counting filters (theory 3.1 and 5.1, README of each variant):
///
/// - A cell that never reached its maximum equals s. A sticky cell that reached its maximum keeps
///   the maximum. If two probes of a key fall on one cell, an insert and an erase change the cell
///   equally: once, or twice with variable increments.
///
/// - If all counts are non-negative, every cell of a key with positive count is therefore at its
///   maximum or includes the key's addition. Hence contains() returns true and erase() succeeds for
///   such a key.
///
/// - A wrongful erase (of a key with count 0 that tests positive) makes the key's count negative
///   and ends the guarantee of membership. Inserting the key again restores the guarantee.
///
/// - A clamped cell at its maximum does not count further increments. If a key is erased while a
///   clamped cell is at its maximum, the guarantees do not hold until the filter is cleared.
///
/// - Each cell equals min(maximum, s), as in a filter built from the multiset. The equality ends
///   when a sticky cell skips a decrement, or when a saturated clamped cell is decremented.
///
/// Guarantees of bit filters: a set bit stays set until an intersect or a clear. The cells equal
/// the cells of a filter built from the keys, until an intersect leaves additional bits set. A
/// scalable filter may skip the insert of a key that tests positive. Such a key tests positive
/// until the filter is cleared.
///
/// Guarantees of filters that forget: a key is contained after up to L rotations that follow its
/// last insert, where L is the window in ticks. If the window is L g + 1 inserts, d further inserts
/// cause at most ceil(d/g) rotations, also between ticks, because a generation closes before insert
/// g + 1.
class Model {
 public:
  enum class Kind { kSet, kMultiset };

  /// @param window how long a filter that forgets contains a key; absent for other filters
  Model(Kind kind, std::uint64_t num_keys, std::optional<Window> window = std::nullopt)
      : kind_(kind), window_(window), counts_(num_keys, 0), last_inserts_(window ? num_keys : 0) {}

  void insert(Key key) {
    ++now_.num_inserts;
    if (window_) last_inserts_[key] = now_;
    if (kind_ == Kind::kSet && counts_[key] > 0) return;
    change(key, 1);
  }

  /// Records that the filter erased the key.
  void erase(Key key) { change(key, -1); }

  /// Records that the generations of the filter rotated.
  void tick() noexcept { ++now_.num_ticks; }

  /// Records that the filter was merged with itself, which doubles every count.
  void insert_itself() {
    if (kind_ == Kind::kSet) return;
    for (std::int32_t& count : counts_) count *= 2;
    total_ *= 2;
  }

  /// Records that the filter was intersected with a filter that contains the given keys.
  void intersect(std::span<const Key> keys) {
    std::vector<std::int32_t> left(counts_.size(), 0);
    for (const Key key : keys) left[key] = counts_[key];
    counts_ = std::move(left);
    num_held_ = static_cast<std::uint64_t>(std::ranges::count_if(counts_, is_positive));
    total_ = static_cast<std::int64_t>(num_held_);
    has_other_cells_ = true;
  }

  /// Records that a key was erased while a clamped cell was at its maximum.
  void lose_members() noexcept { has_lost_ = true; }

  void clear() { *this = Model(kind_, counts_.size(), window_); }

  [[nodiscard]] Kind kind() const noexcept { return kind_; }

  [[nodiscard]] std::int32_t count(Key key) const noexcept { return counts_[key]; }

  /// Returns the number of possible keys. The keys are 0 to num_keys() - 1.
  [[nodiscard]] std::uint64_t num_keys() const noexcept { return counts_.size(); }

  /// Returns the number of distinct keys with positive count.
  [[nodiscard]] std::uint64_t num_held() const noexcept { return num_held_; }

  /// Returns the sum of the absolute values of all counts.
  [[nodiscard]] std::int64_t total() const noexcept { return total_; }

  /// Returns whether the filter must contain every key with positive count.
  [[nodiscard]] bool promises_members() const noexcept { return num_negative_ == 0 && !has_lost_; }

  [[nodiscard]] bool must_contain(Key key) const noexcept {
    return counts_[key] > 0 && promises_members() && is_in_window(key);
  }

  [[nodiscard]] bool forgets() const noexcept { return window_.has_value(); }

  /// Returns whether the cells equal the cells of a filter built from the multiset.
  /// @param num_skipped_decrements number of decrements that the filter skipped
  [[nodiscard]] bool determines_cells(std::uint64_t num_skipped_decrements) const noexcept {
    return promises_members() && !has_other_cells_ && num_skipped_decrements == 0;
  }

  /// Returns the keys with positive count, each as often as its count.
  [[nodiscard]] std::vector<Key> keys() const {
    std::vector<Key> keys;
    for (Key key = 0; key < counts_.size(); ++key) {
      if (counts_[key] > 0) keys.insert(keys.end(), static_cast<std::size_t>(counts_[key]), key);
    }
    return keys;
  }

  /// Returns the keys with negative count, each as often as the absolute value of its count.
  [[nodiscard]] std::vector<Key> owed_keys() const {
    std::vector<Key> keys;
    for (Key key = 0; key < counts_.size(); ++key) {
      if (counts_[key] < 0) keys.insert(keys.end(), static_cast<std::size_t>(-counts_[key]), key);
    }
    return keys;
  }

 private:
  /// Numbers of insert calls and ticks since the last clear.
  struct Time {
    std::uint64_t num_inserts = 0;
    std::uint64_t num_ticks = 0;
  };

  [[nodiscard]] bool is_in_window(Key key) const noexcept {
    if (!window_) return true;
    std::uint64_t num_rotations = now_.num_ticks - last_inserts_[key].num_ticks;
    if (window_->num_inserts) {
      const std::uint64_t capacity = (*window_->num_inserts - 1) / window_->num_ticks;
      const std::uint64_t further = now_.num_inserts - last_inserts_[key].num_inserts;
      num_rotations += (further + capacity - 1) / capacity;
    }
    return num_rotations <= window_->num_ticks;
  }

  static bool is_positive(std::int32_t count) noexcept { return count > 0; }

  void change(Key key, std::int32_t by) {
    std::int32_t& count = counts_[key];
    num_held_ -= count > 0 ? 1U : 0U;
    num_negative_ -= count < 0 ? 1U : 0U;
    total_ -= std::abs(count);
    count += by;
    num_held_ += count > 0 ? 1U : 0U;
    num_negative_ += count < 0 ? 1U : 0U;
    total_ += std::abs(count);
  }

  Kind kind_;
  std::optional<Window> window_;
  std::vector<std::int32_t> counts_;
  std::vector<Time> last_inserts_;  // by key, of a filter that forgets
  Time now_;
  std::uint64_t num_held_ = 0;
  std::uint64_t num_negative_ = 0;
  std::int64_t total_ = 0;
  bool has_lost_ = false;
  bool has_other_cells_ = false;
};

}  // namespace bloometry::test
