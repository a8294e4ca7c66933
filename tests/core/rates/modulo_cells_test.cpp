#include "core/rates/modulo_cells.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "core/rates/cardinality.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("modulo_cells: the shares of cells agree with counted remainders", "[core][rates]") {
  for (const std::uint64_t num_values : {1U, 7U, 16U, 100U}) {
    for (const std::uint64_t m : {1U, 3U, 7U, 16U, 64U, 99U, 100U, 101U, 300U}) {
      CAPTURE(num_values, m);
      std::vector<std::uint64_t> counts(m);
      for (std::uint64_t value = 0; value < num_values; ++value) ++counts[value % m];
      const ModuloCells cells = modulo_cells(m, num_values);
      std::uint64_t num_reachable = 0;
      for (std::uint64_t i = 0; i < m; ++i) {
        const double share = static_cast<double>(counts[i]) / static_cast<double>(num_values);
        CHECK((i < cells.num_heavy ? cells.heavy : cells.light) == Approx(share));
        num_reachable += counts[i] > 0 ? 1 : 0;
      }
      CHECK(cells.num_heavy + cells.num_light == m);
      CHECK(cells.num_reachable() == num_reachable);
      CHECK(cells.pass_rate(cells.num_heavy, cells.num_light) == Approx(1));
    }
  }
}

TEST_CASE("modulo_cells: the mean fill agrees with the enumeration of all inserts",
          "[core][rates]") {
  // Two probes, so 5^2 inserts of one key with 5 values in 3 cells.
  const ModuloCells cells = modulo_cells(3, 5);
  double sum = 0;
  for (unsigned a = 0; a < 5; ++a) {
    for (unsigned b = 0; b < 5; ++b) sum += a % 3 == b % 3 ? 1 : 2;
  }
  CHECK(expected_ones(cells, 1, 2) == Approx(sum / 25).epsilon(1e-14));
}

TEST_CASE("modulo_cells: the count inverts the mean fill", "[core][rates]") {
  for (const std::uint64_t m :
       {std::uint64_t{1000}, std::uint64_t{3} << 29U, std::uint64_t{1} << 32U}) {
    const ModuloCells cells = modulo_cells(m, std::uint64_t{1} << 31U);
    for (const std::uint64_t ones : {std::uint64_t{1}, m / 5, m / 3}) {
      CAPTURE(m, ones);
      const double count = count_given_ones(cells, ones, 5);
      CHECK(expected_ones(cells, count, 5) == Approx(static_cast<double>(ones)).epsilon(1e-12));
    }
  }
}

TEST_CASE("modulo_cells: only the 2^31 reachable cells of 2^32 count", "[core][rates]") {
  const ModuloCells cells = modulo_cells(std::uint64_t{1} << 32U, std::uint64_t{1} << 31U);
  CHECK(cells.num_reachable() == std::uint64_t{1} << 31U);
  CHECK(std::pow(cells.pass_rate(1U << 30U, 0), 5) == Approx(1.0 / 32));
  CHECK(count_given_ones(cells, 1U << 30U, 5) == Approx(297.7e6).epsilon(1e-3));
  CHECK(count_given_ones(cells, std::uint64_t{1} << 31U, 5) ==
        std::numeric_limits<double>::infinity());
  CHECK(count_given_ones(cells, 0, 5) == 0);
  // With equally likely cells, the count is that of model W.
  CHECK(count_given_ones(modulo_cells(1024, 1U << 31U), 300, 7) ==
        Approx(count_given_ones(ProbeModel::kWithReplacement, 300, 1024, 7)).epsilon(1e-12));
}

}  // namespace bloometry
