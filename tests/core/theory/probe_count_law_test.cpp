#include "core/theory/probe_count_law.hpp"

#include <numeric>
#include <stdexcept>

#include "core/rates/rate_given_state.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;
using theory::probe_count_law;

namespace {

/// Returns the law, computed by counting all sequences of k probes on m cells. The first X cells
/// are set. In model D, the count omits sequences with a repeated cell.
std::vector<double> counted_law(ProbeModel model, unsigned X, unsigned m, unsigned k) {
  std::vector<double> counts(k + 1, 0);
  std::vector<unsigned> cells(k, 0);
  double total = 0;
  while (true) {
    std::vector<unsigned> times(m, 0);
    unsigned num_set = 0;
    bool repeats = false;
    for (const unsigned cell : cells) {
      num_set += cell < X ? 1U : 0U;
      repeats |= times[cell]++ > 0;
    }
    if (model != ProbeModel::kDistinct || !repeats) {
      ++counts[num_set];
      ++total;
    }
    unsigned i = 0;
    while (i < k && ++cells[i] == m) cells[i++] = 0;
    if (i == k) break;
  }
  for (double& count : counts) count /= total;
  return counts;
}

}  // namespace

TEST_CASE("probe_count_law: equals the enumeration of all outcomes", "[core][theory]") {
  for (const ProbeModel model : {ProbeModel::kWithReplacement, ProbeModel::kDistinct}) {
    for (unsigned X = 0; X <= 5; ++X) {
      for (unsigned k = 1; k <= 4; ++k) {
        const std::vector<double> law = probe_count_law(model, X, 5, k);
        const std::vector<double> counted = counted_law(model, X, 5, k);
        REQUIRE(law.size() == counted.size());
        for (std::size_t s = 0; s < law.size(); ++s) {
          CAPTURE(static_cast<char>(model), X, k, s);
          CHECK(law[s] == Approx(counted[s]).epsilon(1e-14).margin(1e-300));
        }
      }
    }
  }
}

TEST_CASE("probe_count_law: the probability of k set probes is the rate given the state",
          "[core][theory]") {
  for (const ProbeModel model : {ProbeModel::kWithReplacement, ProbeModel::kDistinct}) {
    for (const std::uint64_t ones : {0, 3, 20, 500'000, 1'000'000}) {
      const std::vector<double> law = probe_count_law(model, ones, 1'000'000, 20);
      CAPTURE(static_cast<char>(model), ones);
      CHECK(law.back() ==
            Approx(rate_given_ones(model, ones, 1'000'000, 20)).epsilon(1e-13).margin(0));
      CHECK(std::accumulate(law.begin(), law.end(), 0.0) == Approx(1).epsilon(1e-14));
    }
  }
}

TEST_CASE("probe_count_law: slices may have different fills", "[core][theory]") {
  const std::vector<double> law = probe_count_law({0.5, 0.2, 1.0});
  const std::vector<double> expected = {0, 0.4, 0.5, 0.1};
  REQUIRE(law.size() == expected.size());
  for (std::size_t s = 0; s < law.size(); ++s) CHECK(law[s] == Approx(expected[s]).margin(1e-16));
  const std::vector<double> equal = probe_count_law(std::vector<double>(7, 0.3));
  const std::vector<double> binomial = probe_count_law(ProbeModel::kWithReplacement, 3, 10, 7);
  for (std::size_t s = 0; s < equal.size(); ++s) CHECK(equal[s] == Approx(binomial[s]));
}

TEST_CASE("probe_count_law: impossible filters are refused", "[core][theory]") {
  CHECK_THROWS_AS(probe_count_law(ProbeModel::kPartitioned, 1, 2, 1), std::domain_error);
  CHECK_THROWS_AS(probe_count_law(ProbeModel::kWithReplacement, 1, 2, 0), std::domain_error);
  CHECK_THROWS_AS(probe_count_law(ProbeModel::kWithReplacement, 0, 0, 1), std::domain_error);
  CHECK_THROWS_AS(probe_count_law(ProbeModel::kWithReplacement, 3, 2, 1), std::domain_error);
  CHECK_THROWS_AS(probe_count_law(ProbeModel::kDistinct, 1, 2, 3), std::domain_error);
  CHECK_THROWS_AS(probe_count_law({}), std::domain_error);
  CHECK_THROWS_AS(probe_count_law({1.5}), std::domain_error);
}
