#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The number of operations in one round of churn on a filter of n keys. They are shares of n,
/// rounded to whole keys.
struct ChurnRound {
  std::uint64_t num_member_erases = 0;    ///< erases of keys that are present
  std::uint64_t num_wrongful_erases = 0;  ///< erases of keys never inserted that test positive
  std::uint64_t num_reinserts = 0;        ///< inserts of removed keys
};

[[nodiscard]] ChurnRound churn_round(const Churn& churn, std::uint64_t num_keys) noexcept;

/// Returns how many of n keys are present after all rounds, if every erase of a member succeeds.
[[nodiscard]] std::uint64_t num_keys_after(const Churn& churn, std::uint64_t num_keys) noexcept;

}  // namespace bloometry
