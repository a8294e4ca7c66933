#include "experiments/unit/churn_round.hpp"

#include <algorithm>
#include <cmath>

namespace bloometry {
namespace {

std::uint64_t share_of(std::uint64_t count, double share) noexcept {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * share));
}

}  // namespace

ChurnRound churn_round(const Churn& churn, std::uint64_t num_keys) noexcept {
  const std::uint64_t num_erases = share_of(num_keys, churn.erase);
  const std::uint64_t num_wrongful =
      std::min(share_of(num_erases, churn.wrongful_erases), num_erases);
  return {.num_member_erases = num_erases - num_wrongful,
          .num_wrongful_erases = num_wrongful,
          .num_reinserts = share_of(num_keys, churn.reinsert)};
}

std::uint64_t num_keys_after(const Churn& churn, std::uint64_t num_keys) noexcept {
  const ChurnRound round = churn_round(churn, num_keys);
  std::uint64_t num_present = num_keys;
  for (std::uint64_t i = 0; i < churn.rounds; ++i) {
    num_present -= std::min(round.num_member_erases, num_present);
    num_present += std::min(round.num_reinserts, num_keys - num_present);
  }
  return num_present;
}

}  // namespace bloometry
