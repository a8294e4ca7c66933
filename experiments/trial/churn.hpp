#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/handle/any_filter.hpp"
#include "core/random/draws.hpp"
#include "experiments/trial/unit_run.hpp"
#include "experiments/unit/churn_round.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Key operations of the churn of one life at most: erases, reinserts and tested candidates.
[[nodiscard]] std::uint64_t count_churn_operations(const Unit& unit, std::uint64_t num_keys);

/// The life of one filter after it was filled: who is present, who was removed, and what happens
/// next. Depends on the unit and the number of keys alone. Semantics: README.md of this folder.
class ChurnedLife {
 public:
  /// @param filter holds all members; @param candidates keys never inserted and never asked, for
  /// wrongful erases.
  ChurnedLife(const UnitRun& run, AnyFilter& filter, std::span<const Digest> members,
              DigestCursor candidates);

  /// All rounds of the unit's churn.
  void run();

  /// Members that must be found: inserted, and no erase of them was carried out since.
  [[nodiscard]] std::uint64_t num_present() const noexcept { return num_present_; }

  /// Digest of the i-th present member, i < num_present().
  [[nodiscard]] const Digest& present(std::uint64_t i) const noexcept {
    return members_[order_[i]];
  }

  /// Wrongful erases that were carried out.
  [[nodiscard]] std::uint64_t num_wrongful_erases() const noexcept { return num_wrongful_erases_; }

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
  DigestCursor candidates_;
  std::span<const Digest> block_;  // candidates not yet tested of the cursor's block
  Draws draws_;
  std::vector<std::uint64_t> order_;  // numbers of members: the present ones, then the removed ones
  std::uint64_t num_present_;
  std::uint64_t num_wrongful_erases_ = 0;
  std::uint64_t num_operations_ = 0;
  std::uint64_t num_reported_ = 0;
};

}  // namespace bloometry
