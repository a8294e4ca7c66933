#include "experiments/workload/member_sample.hpp"

#include <cstdint>

#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("member_sample: members are distinct and increasing, and all are taken up to 10^4",
          "[experiments][workload]") {
  const Unit unit = test::small_unit("standard", 100, {{1, 1, 1}});
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9'999}, std::uint64_t{10'000},
        std::uint64_t{10'001}, std::uint64_t{1'234'567}, std::uint64_t{1} << 40U}) {
    const MemberSample sample(unit, n);
    REQUIRE(sample.size() == std::min<std::uint64_t>(n, 10'000));
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < sample.size(); ++i) {
      const std::uint64_t index = sample.index(i);
      if (n <= 10'000) REQUIRE(index == i);
      REQUIRE(index >= end);
      REQUIRE(index < n);
      end = index + 1;
    }
  }
}

TEST_CASE("member_sample: another trial takes other members", "[experiments][workload]") {
  Unit unit = test::small_unit("standard", 100, {{1, 1, 1}});
  const MemberSample first(unit, 1'000'000);
  unit.trial = 1;
  const MemberSample second(unit, 1'000'000);
  std::uint64_t num_equal = 0;
  for (std::uint64_t i = 0; i < first.size(); ++i) {
    num_equal += static_cast<std::uint64_t>(first.index(i) == second.index(i));
  }
  REQUIRE(num_equal < 200);  // the expected number is 100; P(more than 200) = 1e-18
}

}  // namespace bloometry
