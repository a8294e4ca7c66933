// If probes are ideal, the false positives of absent keys, given the filter's own state, are
// exactly Bin(queries, conditional rate) (theory 9.3). The exact binomial test checks this law for
// every variant with every scheme that declares a model. The file contains 70 assertions with the
// false-alarm probability in false_alarm.hpp.

#include "core/any_filter/any_filter.hpp"
#include "core/statistics/binomial_test.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry {
namespace {

struct Point {
  std::uint64_t num_keys;
  double rate;
  std::uint64_t num_queries;
};

constexpr Point kPoints[] = {{100, 0.05, 400'000}, {10'000, 0.01, 1'000'000}};

}  // namespace

TEST_CASE("conditional rate: false positives given the state are binomial", "[statistical]") {
  const auto subject = GENERATE(from_range(test::variant_schemes(test::follows_model)));
  CAPTURE(subject);
  for (const Point& point : kPoints) {
    const std::uint64_t seed = test::test_seed();
    AnyFilter filter = subject.make(subject.small_spec(point.num_keys, point.rate));
    filter.insert_singly(test::member_digests(point.num_keys, seed));
    const std::uint64_t false_positives =
        filter.count_positives(test::nonmember_digests(point.num_queries, seed));
    const double expected = filter.state().conditional_false_positive_rate;
    const double p_value =
        statistics::binomial_two_sided_p_value(false_positives, point.num_queries, expected);
    CAPTURE(point.num_keys, false_positives, point.num_queries, expected, p_value, seed);
    CHECK(p_value > test::rejection_threshold());
  }
}

}  // namespace bloometry
