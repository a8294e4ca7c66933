#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The numbers of operations in one round of churn on a filter of n keys. The numbers are shares of
/// n, rounded to whole keys.
struct ChurnRound {
  std::uint64_t num_member_erases = 0;    ///< erases of keys that are present
  std::uint64_t num_wrongful_erases = 0;  ///< erases of false positives (keys never inserted)
  std::uint64_t num_reinserts = 0;        ///< inserts of erased keys
};

[[nodiscard]] ChurnRound churn_round(const Churn& churn, std::uint64_t num_keys) noexcept;

/// Returns the number of keys in the filter after all rounds, if every erase of a member succeeds.
[[nodiscard]] std::uint64_t num_keys_after(const Churn& churn, std::uint64_t num_keys) noexcept;

}  // namespace bloometry
