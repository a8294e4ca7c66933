#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/statistics/draws.hpp"
#include "experiments/trial/calls.hpp"
#include "experiments/trial/unit_run.hpp"
#include "experiments/trial/window_truth.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The stream of inserts, erases and ticks of a unit with a window, into one filter. The choice of
/// keys depends only on the unit, the number of calls, and the refused inserts and erases.
/// README.md of this folder defines the operations and the counts.
class WindowStream {
 public:
  /// Prepares the stream of an empty filter.
  /// @param members keys of the unit; at most one of them is new per insert call
  /// @param max_calls number of insert calls of the whole stream
  /// @param lifetime of keys in the filter; nullopt if the filter does not forget
  WindowStream(const Unit& unit, AnyFilter& filter, std::span<const Digest> members,
               std::uint64_t max_calls, const std::optional<KeyLifetime>& lifetime, Calls calls);

  /// Makes the insert calls up to call num_calls, with the erases and ticks that follow them.
  void run_up_to(UnitRun& run, std::uint64_t num_calls);

  /// Returns the number of insert calls that a limited filter refused.
  [[nodiscard]] std::uint64_t num_refused() const noexcept { return num_refused_; }

  /// Returns a sample of the keys that the filter must contain by its own promise.
  [[nodiscard]] std::vector<Digest> sample() const;

  /// Queries all keys in the window, and up to num_queries expired keys. Sets the counts of the
  /// window in the row.
  void count(UnitRun& run, std::uint64_t num_queries, TrialRow& row) const;

  [[nodiscard]] const WindowTruth& truth() const noexcept { return truth_; }

 private:
  void make_call();
  [[nodiscard]] std::uint64_t next_key();
  void insert(std::uint64_t key);
  void try_insert(std::uint64_t key);
  void erase_key();
  void flush();
  [[nodiscard]] bool draws(double share);
  [[nodiscard]] std::uint64_t draw_in_window();
  [[nodiscard]] std::uint64_t num_rotations_since(std::uint64_t call) const noexcept;
  [[nodiscard]] bool must_contain(std::uint64_t key) const noexcept;
  [[nodiscard]] bool may_contain(std::uint64_t key) const noexcept;
  [[nodiscard]] std::uint64_t count_present(std::span<const std::uint64_t> keys) const;

  const Unit& unit_;
  const StreamWindow& window_;
  AnyFilter& filter_;
  std::span<const Digest> members_;
  std::optional<KeyLifetime> lifetime_;
  Calls calls_;
  bool is_single_;  // whether the outcome of each call decides the next one
  Draws draws_;
  WindowTruth truth_;
  std::vector<Digest> pending_;  // keys that the truth contains, but not yet the filter
  std::uint64_t num_new_ = 0;    // keys of the stream so far
  std::uint64_t num_refused_ = 0;
};

}  // namespace bloometry
