#include "experiments/subject/fill_test.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include "core/theory/fill_law.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

using namespace bloometry;
using bloometry::kW;

namespace {

double p_value_after(const theory::FillLaw& law, std::uint64_t num_ones, int num_fills) {
  FillTest test(law);
  for (int i = 0; i < num_fills; ++i) test.observe(num_ones);
  return test.p_value();
}

}  // namespace

TEST_CASE("fill test: the evidence of one fill has expectation 1", "[subject]") {
  for (const auto& [n, m, k] : {std::array<unsigned, 3>{3, 8, 2}, {1, 5, 1}, {40, 100, 4}}) {
    const theory::FillLaw law(kW, n, m, k);
    double expectation = 0;
    for (unsigned ones = 0; ones <= m; ++ones) {
      FillTest test(law);
      test.observe(ones);
      if (law.pmf(ones) > 0) expectation += law.pmf(ones) * std::exp(test.log_evidence());
    }
    INFO(n << " " << m << " " << k);
    CHECK(expectation == Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("fill test: detects a large deviation at once and a small one with many filters",
          "[subject]") {
  const theory::FillLaw law(kW, 1000, 9586, 7);
  const double sd = std::sqrt(law.variance());
  const auto at = [&](double z) {
    return static_cast<std::uint64_t>(std::round(law.mean() + z * sd));
  };
  CHECK(p_value_after(law, at(0), 50) == 1);
  CHECK(p_value_after(law, at(8), 1) < 1e-10);
  CHECK(p_value_after(law, at(-8), 1) < 1e-10);
  CHECK(p_value_after(law, at(1), 1) > 0.1);
  CHECK(p_value_after(law, at(1), 64) < 1e-7);
  FillTest test(law);
  test.observe(at(2));
  CHECK(test.num_fills() == 1);
  CHECK(test.mean_ones() == Approx(law.mean() + 2 * sd).epsilon(1e-3));
}

TEST_CASE("fill test: a fill that cannot vary must be exact", "[subject]") {
  const theory::FillLaw law(kW, 1, 1000, 1);
  CHECK(p_value_after(law, 1, 100) == 1);
  CHECK(p_value_after(law, 2, 1) < 1e-20);
  CHECK(p_value_after(law, 0, 1) < 1e-20);
}
