#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/statistics/draws.hpp"
#include "experiments/trial/unit_run.hpp"
#include "experiments/unit/churn_round.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the maximum number of key operations in the churn of one filter: erases, reinserts and
/// tested candidates.
[[nodiscard]] std::uint64_t count_churn_operations(const Unit& unit, std::uint64_t num_keys);

/// The churn of one filter: a record of present and removed members, and the operations on the
/// filter. The choice of keys depends only on the unit, the number of keys and the refused erases.
/// README.md of this folder defines the operations.
class ChurnRun {
 public:
  /// Prepares the churn of a filled filter.
  /// @param filter filter that contains all members
  /// @param members the inserted keys of the point without those that the filter refused
  /// @param candidates keys for wrongful erases, which are never inserted and never queried.
  ChurnRun(const UnitRun& run, AnyFilter& filter, std::span<const Digest> members,
           const Point& point, DigestCursor candidates);

  /// Runs all rounds of the unit's churn.
  void run();

  /// Returns the number of present members. The filter must contain all present members.
  [[nodiscard]] std::uint64_t num_present() const noexcept { return num_present_; }

  /// Returns the digest of the i-th present member, for i < num_present().
  [[nodiscard]] const Digest& present(std::uint64_t i) const noexcept {
    return members_[order_[i]];
  }

  /// Returns the number of wrongful erases that succeeded.
  [[nodiscard]] std::uint64_t num_wrongful_erases() const noexcept { return num_wrongful_erases_; }

  /// Returns the number of reinserts that a limited filter refused. A refused key stays removed and
  /// may be drawn again.
  [[nodiscard]] std::uint64_t num_refused_inserts() const noexcept { return num_refused_inserts_; }

 private:
  void run_round(const ChurnRound& round);
  void erase_member();
  void reinsert_member();
  void erase_candidate();
  [[nodiscard]] const Digest* next_positive_candidate();
  [[nodiscard]] const Digest* next_candidate();
  void count_operation();

  const UnitRun& run_;
  AnyFilter& filter_;
  std::span<const Digest> members_;
  std::uint64_t num_keys_;  // num_inserted of the point
  DigestCursor candidates_;
  std::span<const Digest> block_;  // untested candidates of the current block
  Draws draws_;
  std::vector<std::uint64_t> order_;  // indices of members: first present, then removed members
  std::uint64_t num_present_;
  std::uint64_t num_wrongful_erases_ = 0;
  std::uint64_t num_refused_inserts_ = 0;
  std::uint64_t num_operations_ = 0;
  std::uint64_t num_reported_ = 0;
};

}  // namespace bloometry
