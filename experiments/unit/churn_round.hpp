#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// What a round of churn does to a filter of n keys: the shares of n, rounded to whole keys.
struct ChurnRound {
  std::uint64_t num_member_erases = 0;    ///< aimed at keys that are present
  std::uint64_t num_wrongful_erases = 0;  ///< aimed at keys never inserted that test positive
  std::uint64_t num_reinserts = 0;        ///< of removed keys, as far as there are any
};

[[nodiscard]] ChurnRound churn_round(const Churn& churn, std::uint64_t num_keys) noexcept;

/// Keys of n that are present after all rounds, if every erase of a member is carried out.
[[nodiscard]] std::uint64_t num_keys_after(const Churn& churn, std::uint64_t num_keys) noexcept;

}  // namespace bloometry
