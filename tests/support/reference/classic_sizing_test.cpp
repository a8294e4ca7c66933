#include "tests/support/reference/classic_sizing.hpp"

#include <stdexcept>

#include "core/probe/limits.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::theory;
using bloometry::ProbeModel;

TEST_CASE("classic sizing: the bits for a rate are the fewest that reach it", "[core][theory]") {
  for (const double p : {0.3, 0.03, 1e-3, 1e-6}) {
    for (const std::uint64_t n : {10u, 3000u, 1000000u}) {
      const unsigned k = best_num_hashes_for_rate(p);
      const std::uint64_t m = classic_num_bits(n, p, k);
      INFO("n " << n << ", p " << p);
      CHECK(classic_rate(n, m, k) <= p);
      CHECK(classic_rate(n, m - 1, k) > p);
    }
  }
}

TEST_CASE("classic sizing: guaranteed bits keep the exact rate, and one bit less does not",
          "[core][theory]") {
  for (const auto model :
       {ProbeModel::kWithReplacement, ProbeModel::kDistinct, ProbeModel::kPartitioned}) {
    for (const std::uint64_t n : {1u, 3u, 100u, 3000u}) {
      for (const unsigned k : {1u, 4u, 9u}) {
        const std::uint64_t m = guaranteed_num_bits(model, n, 0.02, k);
        INFO("model " << static_cast<char>(model) << ", n " << n << ", k " << k << ", m " << m);
        CHECK(exact_rate(model, n, m, k) <= 0.02);
        const std::uint64_t least = model == ProbeModel::kWithReplacement ? 1 : k;
        if (m > least) CHECK(exact_rate(model, n, m - 1, k) > 0.02);
      }
    }
  }
}

TEST_CASE("classic sizing: the guaranteed size is the smallest over all 64 k",
          "[core][theory][exhaustive]") {
  for (const auto model :
       {ProbeModel::kWithReplacement, ProbeModel::kDistinct, ProbeModel::kPartitioned}) {
    for (const std::uint64_t n : {1u, 2u, 10u, 100u, 3000u}) {
      for (const double p : {0.7, 0.1, 0.01, 1e-6}) {
        const auto [m, k] = guaranteed_size(model, n, p);
        INFO("model " << static_cast<char>(model) << ", n " << n << ", p " << p << ", m " << m
                      << ", k " << k);
        CHECK(exact_rate(model, n, m, k) <= p);
        for (unsigned other = 1; other <= bloometry::kMaxNumHashes && other < m; ++other) {
          CHECK(exact_rate(model, n, m - 1, other) > p);
          if (other < k) CHECK(exact_rate(model, n, m, other) > p);
        }
      }
    }
  }
  CHECK(guaranteed_size(ProbeModel::kWithReplacement, 1'000'000, 0.01).num_bits == 9'592'957);
}

TEST_CASE("classic sizing: the best number of hashes is better than its neighbours",
          "[core][theory]") {
  for (std::uint64_t m = 500; m < 40'000; m += 137) {
    const unsigned k = best_num_hashes(1000, m);
    INFO("m " << m << ", k " << k);
    if (k > 1) CHECK(classic_rate(1000, m, k) <= classic_rate(1000, m, k - 1));
    CHECK(classic_rate(1000, m, k) <= classic_rate(1000, m, k + 1));
  }
  CHECK(best_num_hashes(1000, 1) == 1);
  CHECK(best_num_hashes(1, 1'000'000) == bloometry::kMaxNumHashes);
}

TEST_CASE("classic sizing: 2.10 bits per key need two hashes, unlike the rounded k",
          "[core][theory]") {
  CHECK(best_num_hashes(1'000'000, 2'100'000) == 2);
  CHECK(best_num_hashes(1'000'000, 8'700'000) == 6);
}

TEST_CASE("classic sizing: impossible requests are refused", "[core][theory]") {
  CHECK_THROWS_AS(continuous_num_bits(0, 0.1), std::domain_error);
  CHECK_THROWS_AS(classic_num_bits(1, 0.0, 1), std::domain_error);
  CHECK_THROWS_AS(classic_num_bits(1, 1.0, 1), std::domain_error);
  CHECK_THROWS_AS(classic_num_bits(std::uint64_t{1} << 62, 1e-9, 30), std::domain_error);
  CHECK_THROWS_AS(best_num_hashes(1, 0), std::domain_error);
  CHECK_THROWS_AS(classic_capacity(0, 0.1, 1), std::domain_error);
  CHECK_THROWS_AS(continuous_num_hashes(0, 5), std::domain_error);
  CHECK_THROWS_AS(classic_fill_for_rate(0.1, 0), std::domain_error);
  CHECK_THROWS_AS(guaranteed_size(ProbeModel::kDistinct, 5, 1.5), std::domain_error);
  CHECK_THROWS_AS(information_bound_bits_per_key(2.0), std::domain_error);
}
