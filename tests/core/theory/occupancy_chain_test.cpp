#include "core/theory/occupancy_chain.hpp"

#include <cmath>
#include <vector>

#include "core/theory/variable_increment_rates.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace bloometry::theory;

/// Calls visit(digits) for every sequence of `length` digits below `base`.
template <class Visit>
void for_each_sequence(unsigned base, unsigned length, Visit&& visit) {
  std::vector<unsigned> digits(length, 0);
  for (;;) {
    visit(digits);
    unsigned i = 0;
    while (i < length && ++digits[i] == base) digits[i++] = 0;
    if (i == length) return;
  }
}

std::vector<unsigned> counts(const std::vector<unsigned>& cells, unsigned num_cells) {
  std::vector<unsigned> result(num_cells, 0);
  for (const unsigned cell : cells) ++result[cell];
  return result;
}

double product_of_passes(const std::vector<unsigned>& probes, const std::vector<unsigned>& throws,
                         const PassTable& table) {
  double product = 1.0;
  for (std::size_t cell = 0; cell < probes.size(); ++cell) {
    if (probes[cell] > 0) product *= table.pass(probes[cell], throws[cell]);
  }
  return product;
}

/// Returns the rate, computed by listing every outcome of n k throws and of k query probes.
double enumerated_rate(unsigned n, unsigned m, const PassTable& table) {
  const unsigned k = table.num_hashes();
  long double sum = 0.0;  // thousands of terms
  for_each_sequence(m, n * k, [&](const auto& inserted) {
    const auto throws = counts(inserted, m);
    for_each_sequence(m, k, [&](const auto& query) {
      sum += product_of_passes(counts(query, m), throws, table);
    });
  });
  return static_cast<double>(sum / std::pow(m, (n + 1) * k));
}

/// Returns a table whose entries are all different, so that a swap of b and t is detected.
PassTable uneven_table(unsigned k) {
  std::vector<std::vector<double>> rows;
  for (unsigned b = 1; b <= k; ++b) rows.push_back({0.01 * b, 0.5 / b, 0.9 / b, 0.95});
  return PassTable(rows);
}

struct Tiny {
  unsigned n, m, k;
};

constexpr Tiny kTiny[] = {{0, 3, 2}, {1, 1, 1}, {1, 1, 3}, {3, 1, 2}, {1, 2, 3},
                          {2, 2, 2}, {3, 2, 3}, {1, 3, 2}, {2, 3, 2}, {3, 3, 2},
                          {1, 4, 3}, {2, 4, 2}, {5, 3, 1}, {1, 2, 5}, {1, 5, 3}};

}  // namespace

// The chain and the enumeration each round about k additions and products of positive numbers.
constexpr double kTolerance = 1e-14;

TEST_CASE("occupancy chain: equals the enumeration of all outcomes of tiny filters",
          "[core][theory]") {
  for (const auto [n, m, k] : kTiny) {
    INFO("n " << n << ", m " << m << ", k " << k);
    CHECK(occupancy_any_hit_rate(n, m, k) ==
          Approx(enumerated_rate(n, m, PassTable::any_hit(k))).epsilon(kTolerance));
    CHECK(occupancy_chain_rate(n, m, uneven_table(k)) ==
          Approx(enumerated_rate(n, m, uneven_table(k))).epsilon(kTolerance));
  }
}

TEST_CASE("occupancy chain: the table for any hit gives the standard rate", "[core][theory]") {
  for (const unsigned k : {1u, 2u, 7u, 16u}) {
    for (const std::uint64_t n : {0u, 1u, 10u, 100u, 1000u, 5000u, 20000u, 200u}) {
      INFO("n " << n << ", k " << k);
      CHECK(occupancy_chain_rate(n, 5000, PassTable::any_hit(k)) ==
            Approx(occupancy_any_hit_rate(n, 5000, k)).epsilon(kTolerance).margin(1e-300));
    }
  }
}

TEST_CASE("occupancy chain: is precise at the ends of the range", "[core][theory]") {
  // The expected rates are 400-digit evaluations of sum_j S2(k,j) m_(j)/m^k A_j (theory 1.3).
  CHECK(occupancy_any_hit_rate(10, 1'000'000, 10) == Approx(9.9952680579772426e-41).epsilon(1e-14));
  CHECK(occupancy_any_hit_rate(3125, 1'000'000'000, 32) ==
        Approx(9.9840155616306369e-129).epsilon(1e-14));
  CHECK(occupancy_any_hit_rate(156'250, 1'000'000'000, 64) ==
        Approx(7.2634345288681239e-129).epsilon(1e-14));
  CHECK(occupancy_any_hit_rate(10'937'500, 1'000'000'000, 64) ==
        Approx(8.3802547829102756e-20).epsilon(1e-14));
  CHECK(occupancy_any_hit_rate(937'500'000'000, 1'000'000'000'000, 32) ==
        Approx(0.99999999999700556).epsilon(1e-14));
}

TEST_CASE("occupancy chain: degenerate filters have the obvious rates", "[core][theory]") {
  SECTION("no key") {
    for (const unsigned k : {1u, 7u, 64u}) CHECK(occupancy_any_hit_rate(0, 100, k) == 0.0);
  }
  SECTION("one cell") {
    CHECK(occupancy_any_hit_rate(1, 1, 1) == 1.0);
    CHECK(occupancy_any_hit_rate(1'000'000'000'000, 1, 64) == 1.0);
  }
  SECTION("more hashes than cells") {
    CHECK(occupancy_any_hit_rate(1, 3, 64) > 0.999);
    CHECK(occupancy_any_hit_rate(1, 3, 64) <= 1.0);
  }
  SECTION("overfull") {
    CHECK(occupancy_any_hit_rate(1'000'000'000, 5, 3) == 1.0);
    CHECK(occupancy_chain_rate(1'000'000'000, 5, variable_increment_pass_table(3, 4)) == 1.0);
  }
  SECTION("2^63 throws") {
    const auto n = std::uint64_t{1} << 60;
    CHECK(occupancy_any_hit_rate(n, n * 8 + 1, 8) < 0.026);
    CHECK(occupancy_any_hit_rate(n, 1000, 8) == 1.0);
  }
}

TEST_CASE("occupancy chain: the rate rises with the number of keys", "[core][theory]") {
  double previous = 0.0;
  for (std::uint64_t n = 1; n < 100'000; n = n * 5 / 4 + 1) {
    const double rate = occupancy_any_hit_rate(n, 10'000, 7);
    INFO("n " << n);
    CHECK(rate >= previous);
    CHECK(rate <= 1.0);
    previous = rate;
  }
}

TEST_CASE("occupancy chain: invalid arguments are refused", "[core][theory]") {
  CHECK_THROWS_AS(occupancy_any_hit_rate(1, 0, 1), std::domain_error);
  CHECK_THROWS_AS(occupancy_any_hit_rate(1, 1, 0), std::domain_error);
  CHECK_THROWS_AS(PassTable(std::vector<std::vector<double>>{}), std::domain_error);
  CHECK_THROWS_AS(PassTable({{0.0}, {0.0, 0.5}}), std::domain_error);
  CHECK_THROWS_AS(PassTable(std::vector<std::vector<double>>{{1.5}}), std::domain_error);
  CHECK_THROWS_AS(PassTable(std::vector<std::vector<double>>{{std::nan("")}}), std::domain_error);
}
