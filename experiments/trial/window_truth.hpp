#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The truth about the keys of a stream with a window: the last insert call of each key, and the
/// keys that are in the window. Keys and insert calls are numbered from 0. README.md of this folder
/// defines the window.
class WindowTruth {
 public:
  /// @param max_calls number of insert calls of the whole stream; keys are below this number
  WindowTruth(const StreamWindow& window, std::uint64_t max_calls);

  /// Records an insert call that put the key into the filter.
  void insert(std::uint64_t key);

  /// Records an insert call that a limited filter refused, and which left the filter unchanged.
  void refuse();

  /// Records that the filter erased one copy of a key in the window. The key leaves the window with
  /// its last copy.
  void erase(std::uint64_t key);

  [[nodiscard]] std::uint64_t num_calls() const noexcept { return calls_.size(); }

  /// Returns the number of ticks so far. A tick follows every inserts_per_tick insert calls.
  [[nodiscard]] std::uint64_t num_ticks() const noexcept;

  [[nodiscard]] std::uint64_t num_in_window() const noexcept { return present_.size(); }

  /// Returns the i-th key in the window, for i < num_in_window(). The order depends only on the
  /// calls so far.
  [[nodiscard]] std::uint64_t in_window(std::uint64_t i) const noexcept { return present_[i]; }

  /// Returns whether the filter contained the key once, and all its copies were erased.
  [[nodiscard]] bool is_erased(std::uint64_t key) const noexcept {
    return counts_copies_ && last_call_[key] != kNone && num_copies_[key] == 0;
  }

  /// Returns whether an insert call put the key into the filter.
  [[nodiscard]] bool was_inserted(std::uint64_t key) const noexcept {
    return last_call_[key] != kNone;
  }

  /// Returns the last insert call of a key that was inserted.
  [[nodiscard]] std::uint64_t last_call(std::uint64_t key) const noexcept {
    return last_call_[key];
  }

  /// Returns the number of ticks that followed an insert call.
  [[nodiscard]] std::uint64_t num_ticks_since(std::uint64_t call) const noexcept;

  /// Calls visit(key) for each inserted key that is not in the window, in the order of their last
  /// insert calls, the latest first. Stops if visit returns false.
  template <class Visit>
  void for_each_expired(Visit visit) const {
    for (std::uint64_t call = num_calls(); call-- > 0;) {
      const std::uint64_t key = calls_[call];
      if (key == kNone || last_call_[key] != call || position_[key] != kNone) continue;
      if (!visit(key)) return;
    }
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool is_in_window(std::uint64_t call) const noexcept;
  void expire_keys();
  void remove_from_window(std::uint64_t key);

  StreamWindow window_;
  bool counts_copies_;
  std::vector<std::uint64_t> calls_;       // key of each insert call, or kNone if refused
  std::vector<std::uint64_t> last_call_;   // by key; kNone before the first insert
  std::vector<std::uint64_t> position_;    // by key; index in present_, or kNone
  std::vector<std::uint64_t> present_;     // keys in the window
  std::vector<std::uint32_t> num_copies_;  // by key, if the stream erases keys
  std::uint64_t oldest_ = 0;               // all calls before this one have left the window
};

/// Returns the memory of a WindowTruth in bytes, at most.
[[nodiscard]] std::uint64_t window_truth_bytes(std::uint64_t max_calls) noexcept;

}  // namespace bloometry
