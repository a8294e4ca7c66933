#include "experiments/unit/churn_round.hpp"

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE(
    "churn_round: shares are rounded to whole keys, wrongful erases are a share of the erases",
    "[experiments][unit]") {
  const ChurnRound round =
      churn_round({.rounds = 1, .erase = 0.25, .reinsert = 0.1, .wrongful_erases = 0.5}, 101);
  REQUIRE(round.num_member_erases == 12);
  REQUIRE(round.num_wrongful_erases == 13);
  REQUIRE(round.num_reinserts == 10);
}

}  // namespace bloometry
