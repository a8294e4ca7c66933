#include "variants/d_left/d_left_rates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/statistics/special_functions.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/d_left/d_left_filter.hpp"

using namespace bloometry::theory;

namespace {

constexpr unsigned kBuckets = 4096;

/// Compares the loads of the buckets of a table of 4 x 4096 buckets at 6 keys per bucket with the
/// fluid limit. num_with[i] is the number of buckets with at least i keys. The shares of 16384
/// buckets are far from independent. The variance of the shares is below the variance of a binomial
/// law, because an insert balances loads. The normal limit of a binomial is therefore conservative.
/// The error of the fluid limit itself is O(1/B) = 2.4e-4.
void check_loads(const std::vector<double>& num_with) {
  const auto tails = d_left_insert_only_tails(4, 6.0, 9);
  const double limit = bloometry::statistics::two_sided_z(bloometry::test::rejection_threshold());
  for (unsigned i = 1; i <= 9; ++i) {
    const double share = num_with[i] / (4.0 * kBuckets);
    const double spread = std::sqrt(tails[i] * (1.0 - tails[i]) / (4.0 * kBuckets));
    INFO("at least " << i << ": " << share << ", fluid " << tails[i]);
    CHECK(std::abs(share - tails[i]) <= limit * spread + 1.0 / kBuckets);
  }
}

}  // namespace

TEST_CASE("d-left: one subtable has Poisson loads, after inserts and after churn",
          "[variants][theory]") {
  for (const double load : {0.5, 3.0, 6.0}) {
    const auto filled = d_left_insert_only_tails(1, load, 15);
    const auto churned = d_left_steady_state_tails(1, load, 15);
    for (unsigned i = 0; i <= 15; ++i) {
      INFO("load " << load << ", at least " << i);
      const double poisson = bloometry::statistics::poisson_upper_tail(load, i);
      // The tolerances are the accuracy that d_left_rates.hpp states.
      CHECK(filled[i] == Approx(poisson).epsilon(1e-10).margin(0));
      CHECK(churned[i] == Approx(poisson).epsilon(1e-11).margin(0));
    }
  }
}

TEST_CASE("d-left: tails sum to the load and decrease", "[variants][theory]") {
  for (const auto solve : {d_left_insert_only_tails, d_left_steady_state_tails}) {
    for (const unsigned d : {2u, 4u}) {
      const auto tails = solve(d, 6.0, 40);
      CHECK(std::accumulate(tails.begin() + 1, tails.end(), 0.0) == Approx(6.0).epsilon(1e-11));
      CHECK(std::is_sorted(tails.rbegin(), tails.rend()));
      CHECK(tails[0] == 1.0);
    }
  }
}

TEST_CASE("d-left: a table of 4 x 4096 buckets has the loads of the fluid limit",
          "[variants][theory]") {
  std::mt19937_64 random(bloometry::test::test_seed());
  std::vector<std::vector<unsigned>> loads(4, std::vector<unsigned>(kBuckets, 0));
  for (unsigned key = 0; key < 24 * kBuckets; ++key) {
    unsigned* least = nullptr;
    for (auto& subtable : loads) {
      unsigned& load = subtable[random() % kBuckets];
      if (least == nullptr || load < *least) least = &load;
    }
    ++*least;
  }
  std::vector<double> num_with(10, 0.0);
  for (const auto& subtable : loads) {
    for (const unsigned load : subtable) {
      for (unsigned i = 1; i <= std::min(load, 9U); ++i) ++num_with[i];
    }
  }
  check_loads(num_with);
}

TEST_CASE("d-left: the permutations of a filter give the loads of independent buckets",
          "[variants][theory]") {
  bloometry::DLeftFilter filter({.num_blocks = 4 * kBuckets, .num_hashes = 4});
  std::mt19937_64 random(bloometry::test::test_seed());
  for (unsigned num_stored = 0; num_stored < 24 * kBuckets;) {
    num_stored += filter.insert({random(), 0}) ? 1 : 0;
  }
  std::vector<double> num_with(10, 0.0);
  for (std::uint64_t bucket = 0; bucket < filter.num_blocks(); ++bucket) {
    const int load = std::popcount(filter.buckets().occupied(bucket));
    for (int i = 1; i <= load; ++i) ++num_with[static_cast<std::size_t>(i)];
  }
  check_loads(num_with);
}

TEST_CASE("d-left: filters are sized so that almost no bucket would need a ninth cell",
          "[variants][theory]") {
  for (unsigned d = bloometry::kMinDLeftSubtables; d <= bloometry::kMaxDLeftSubtables; ++d) {
    const double keys_per_bucket = bloometry::d_left_keys_per_bucket(d);
    CAPTURE(d, keys_per_bucket);
    CHECK(d_left_steady_state_tails(d, keys_per_bucket, 9)[9] < 1e-15);
    CHECK(d_left_steady_state_tails(d, keys_per_bucket + 1.0, 9)[9] > 1e-15);
  }
}

TEST_CASE("d-left: rates and memory follow the formulas", "[variants][theory]") {
  CHECK(d_left_rate(1, 1, 1) == Approx(0.5).epsilon(1e-15));
  CHECK(d_left_rate(0, 2048, 14) == 0.0);
  CHECK(d_left_rate(49152, 2048, 14) < d_left_linear_rate(4, 6.0, 14));
  CHECK(d_left_rate(49152, 2048, 14) == Approx(0.001463771412).epsilon(1e-9));
  CHECK(d_left_bits_per_key(8, 6.0, 14, 2) == Approx(64.0 / 3));
  CHECK_THROWS_AS(d_left_rate(1, 0, 14), std::domain_error);
  CHECK_THROWS_AS(d_left_rate(1, 1, 0), std::domain_error);
  CHECK_THROWS_AS(d_left_rate(1, 1, 65), std::domain_error);
  CHECK_THROWS_AS(d_left_bits_per_key(0, 6.0, 14, 2), std::domain_error);
  CHECK_THROWS_AS(d_left_insert_only_tails(0, 6.0, 9), std::domain_error);
  CHECK_THROWS_AS(d_left_steady_state_tails(4, 0.0, 9), std::domain_error);
}
