#include "variants/d_left/d_left_refused_inserts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/hash/mix.hpp"
#include "core/statistics/special_functions.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/reference/goodness_of_fit.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/d_left/d_left_permutations.hpp"
#include "variants/d_left/d_left_theory.hpp"

using namespace bloometry;

namespace {

/// A d-left table, and the number of keys that are inserted into it.
struct OverfullTable {
  unsigned num_subtables;
  std::uint64_t num_buckets;  ///< per subtable
  unsigned remainder_bits;
  double keys_per_bucket;

  [[nodiscard]] std::uint64_t num_keys() const {
    return static_cast<std::uint64_t>(
        std::llround(keys_per_bucket * num_subtables * static_cast<double>(num_buckets)));
  }

  [[nodiscard]] FilterSpec spec() const {
    return {.num_blocks = num_subtables * num_buckets,
            .num_hashes = num_subtables,
            .params = {{"remainder_bits", static_cast<double>(remainder_bits)}}};
  }
};

/// Returns the number of refused inserts of each of several tables with random keys.
std::vector<std::uint64_t> refused_inserts(const OverfullTable& table, std::size_t num_tables) {
  const FilterSpec spec = table.spec();
  const std::uint64_t seed = mix64(bloometry::test::test_seed() + table.num_keys());
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < num_tables; ++i) {
    DLeftFilter filter(spec);
    std::uint64_t num_refused = 0;
    for (const Digest& key : bloometry::test::member_digests(table.num_keys(), mix64(seed + i))) {
      num_refused += filter.try_insert(key) == Insertion::kFull ? 1 : 0;
    }
    counts.push_back(num_refused);
  }
  return counts;
}

/// Checks that the p-values of tables are not too small, and that the counts have the law's mean
/// and variance.
void check_calibration(const OverfullTable& table, const theory::RefusedInsertsLaw& law,
                       double mean_error, std::size_t num_tables) {
  const std::vector<std::uint64_t> counts = refused_inserts(table, num_tables);
  std::vector<double> p_values;
  double mean = 0;
  double squares = 0;
  for (const std::uint64_t count : counts) {
    p_values.push_back(law.two_sided_p_value(count));
    mean += static_cast<double>(count);
    squares += std::pow(static_cast<double>(count) - law.mean(), 2);
  }
  const auto size = static_cast<double>(num_tables);
  mean /= size;
  const double sd = std::sqrt(law.variance().value());
  const double z = statistics::normal_upper_quantile(bloometry::test::rejection_threshold() / 2);
  CAPTURE(table.num_subtables, table.num_buckets, table.remainder_bits, table.keys_per_bucket, mean,
          law.mean(), sd, squares / size);
  CHECK(0.5 * bloometry::test::kolmogorov_p_value_bound(
                  bloometry::test::kolmogorov_excess(p_values), num_tables) >
        bloometry::test::rejection_threshold());
  CHECK(std::abs(mean - law.mean()) <= z * sd / std::sqrt(size) + mean_error);
  // The relative error of a sample variance is sqrt(2/T), and more for rare refused inserts.
  const double spread = z * std::sqrt((2 + 1 / (sd * sd)) / size);
  // A law with a larger variance gives larger p-values.
  CHECK(squares / size <= (1 + spread) * sd * sd + mean_error * mean_error);
}

theory::RefusedInserts law_of(const OverfullTable& table) {
  return DLeftTheory::refused_inserts(table.spec(), table.num_keys());
}

double mean_error_of(const OverfullTable& table, const theory::RefusedInsertsLaw& law) {
  return law.mean() *
         DLeftTheory::expected_rate(table.spec(), ProbeModel::kWithReplacement, table.num_keys());
}

}  // namespace

TEST_CASE("d-left: one subtable refuses the keys above eight of a bucket", "[variants][theory]") {
  // The loads of the buckets of one subtable are multinomial, so the mean is exact for any number
  // of buckets, and the variance in the limit is Var g - Cov(g, L)^2/E L with g = max(L - 8, 0) of
  // a Poisson number L.
  for (const double load : {6.0, 8.0, 11.0}) {
    const std::uint64_t num_buckets = 400;
    const double num_keys = load * static_cast<double>(num_buckets);
    const auto refused = theory::DLeftRefusedPath(num_keys, 1, num_buckets).at(num_keys);
    double exact_mean = 0;
    for (int i = 9; i < 60; ++i) {
      exact_mean +=
          statistics::binomial_upper_tail(num_keys, 1.0 / static_cast<double>(num_buckets), i);
    }
    double mean = 0;
    double square = 0;
    double product = 0;
    for (int i = 9; i < 100; ++i) {
      const double probability = std::exp(i * std::log(load) - load - std::lgamma(i + 1.0));
      mean += probability * (i - 8);
      square += probability * (i - 8) * (i - 8);
      product += probability * (i - 8) * i;
    }
    const double covariance = product - mean * load;
    const double variance = square - mean * mean - covariance * covariance / load;
    const auto buckets = static_cast<double>(num_buckets);
    CAPTURE(load);
    CHECK(refused.fluid_mean == Approx(buckets * mean).epsilon(1e-6));
    CHECK(refused.variance == Approx(buckets * variance).epsilon(1e-6));
    // The next term of the mean is of order 1/B.
    CHECK(refused.mean() == Approx(buckets * exact_mean).margin(10 / buckets));
    CHECK(std::abs(refused.correction) > 100 / buckets);  // the correction is needed
  }
}

TEST_CASE("d-left: every key of a full table is refused", "[variants][theory]") {
  const theory::DLeftRefusedPath path(16 * 4 * 100, 4, 100);
  const auto refused = path.at(16 * 4 * 100);
  CHECK(refused.mean() == Approx(8.0 * 4 * 100).epsilon(1e-8));
  CHECK(refused.empty_cells < 1e-4);
  for (const theory::DLeftRefusedInserts& none :
       {path.at(0), theory::DLeftRefusedPath(0, 4, 100).at(0)}) {
    CHECK(none.mean() == 0);
    CHECK(none.variance == 0);
    CHECK(none.empty_cells == 8 * 4 * 100);
  }
  CHECK_THROWS_AS(theory::DLeftRefusedPath(1, 17, 1), std::domain_error);
  CHECK_THROWS_AS(theory::DLeftRefusedPath(1, 4, 0), std::domain_error);
  CHECK_THROWS_AS(theory::DLeftRefusedPath(1'000'000, 4, 1), std::domain_error);
  CHECK_THROWS_AS(theory::DLeftRefusedPath(-1, 4, 1), std::domain_error);
}

TEST_CASE("d-left: the theory states where the law of the refused inserts is known",
          "[variants][theory]") {
  // At the load for which filters are sized, only the odds are known.
  const auto design = law_of({4, 1000, 14, 6});
  REQUIRE(design.law);
  CHECK_FALSE(design.law->variance());
  CHECK(design.law->two_sided_p_value(1) == 1e-6);
  CHECK(law_of({4, 1000, 14, 8}).law->variance());
  CHECK(std::string(law_of({4, 1000, 14, 6.5}).why_unknown).starts_with("the table has too few"));
  CHECK(std::string(law_of({4, 1000, 14, 17}).why_unknown).starts_with("the table has more than"));
  // Just above this load, the expected number may be 0 in floating point.
  for (unsigned d = 2; d <= 8; ++d) {
    for (const double load : {1.01, 1.04, 1.08}) {
      CHECK_NOTHROW(law_of({d, 4096, 30, load * d_left_keys_per_bucket(d)}));
    }
  }
  // A table that doubles on its own refuses fewer keys than one that stays as it is.
  FilterSpec growing = OverfullTable{4, 1000, 14, 8}.spec();
  growing.params["max_capacity"] = 100'000.0;
  CHECK(DLeftTheory::refused_inserts(growing, 24'000).law);
  for (const std::uint64_t num_keys : {24'001, 32'000, 60'000, 100'000}) {
    CHECK(std::string(DLeftTheory::refused_inserts(growing, num_keys).why_unknown)
              .starts_with("the law of a table that has doubled"));
  }
  // With more buckets, the law is known at lower loads.
  CHECK_FALSE(law_of({2, 16, 30, 6}).law);
  CHECK(law_of({2, 1024, 30, 6}).law->variance());
}

TEST_CASE("d-left: repeated fingerprints give refused inserts a heavy tail", "[variants][theory]") {
  // The keys have as many different fingerprints as 98 % of the cells, give or take 1 %, so that
  // some tables have no room for dozens of keys. The shares are measured in filters.
  struct Measured {
    OverfullTable table;
    std::uint64_t num_refused;
    double num_tables;    ///< all simulated tables
    double num_refusing;  ///< tables that refused num_refused inserts or more
  };

  for (const Measured& measured :
       {Measured{{8, 32, 8, 9}, 24, 200'000, 32}, Measured{{8, 16, 7, 11}, 40, 200'000, 36},
        Measured{{4, 16, 7, 9}, 20, 50'000, 10}}) {
    const auto refused = law_of(measured.table);
    REQUIRE(refused.law);
    const double tail = refused.law->upper_tail(measured.num_refused);
    const double share = measured.num_refusing / measured.num_tables;
    CAPTURE(measured.table.num_subtables, measured.table.num_buckets, tail, share);
    CHECK(statistics::binomial_upper_tail(measured.num_tables, tail, measured.num_refusing) > 1e-6);
    CHECK(tail < 3 * share);
  }
}

TEST_CASE("d-left: the law of refused inserts is unknown if candidate buckets depend on each other",
          "[variants][theory]") {
  // With these numbers of buckets, the buckets of a key in the last two subtables are mirror
  // images.
  for (const std::uint64_t num_buckets : {2U, 3U, 6U, 9U, 15U}) {
    const std::uint64_t num_fingerprints = num_buckets << 7U;
    const DLeftPermutations permutations(num_fingerprints, 4);
    for (std::uint64_t fingerprint = 1; fingerprint < num_fingerprints; ++fingerprint) {
      REQUIRE(permutations.image(2, fingerprint) + permutations.image(3, fingerprint) ==
              num_fingerprints);
    }
    CHECK(std::string(law_of({4, num_buckets, 7, 9}).why_unknown)
              .starts_with("in a table of so few fingerprints"));
    // With three subtables, no buckets are mirror images.
    CHECK_FALSE(std::string(law_of({3, num_buckets, 7, 9}).why_unknown)
                    .starts_with("in a table of so few fingerprints"));
  }
  for (const std::uint64_t num_buckets : {14U, 16U, 17U, 20U}) {
    CHECK(law_of({4, num_buckets, 7, 9}).law);
  }
  // At the load for which filters are sized, the odds hold for all tables.
  CHECK(law_of({4, 15, 7, 6}).law);
}

TEST_CASE("d-left: p-values of refused inserts are valid in filters", "[variants][theory]") {
  for (const OverfullTable& table :
       {OverfullTable{2, 64, 30, 8}, OverfullTable{3, 64, 30, 9}, OverfullTable{4, 64, 30, 7.5},
        OverfullTable{4, 64, 30, 8}, OverfullTable{4, 128, 8, 8.5}, OverfullTable{4, 64, 6, 12},
        OverfullTable{8, 32, 30, 8}}) {
    const auto refused = law_of(table);
    REQUIRE(refused.law);
    check_calibration(table, *refused.law, mean_error_of(table, *refused.law), 300);
  }
}

TEST_CASE("d-left: p-values of refused inserts are valid at all loads with a law",
          "[variants][theory][.long]") {
  unsigned num_checked = 0;
  for (const unsigned d : {2U, 3U, 4U, 6U, 8U}) {
    for (const std::uint64_t num_buckets : {4U, 16U, 64U, 256U}) {
      for (const unsigned remainder_bits : {8U, 30U}) {
        for (const double load : {6.5, 7.25, 7.5, 8.0, 8.5, 10.0}) {
          const OverfullTable table{d, num_buckets, remainder_bits, load};
          const auto refused = law_of(table);
          if (!refused.law || !refused.law->variance()) continue;
          check_calibration(table, *refused.law, mean_error_of(table, *refused.law), 1000);
          ++num_checked;
        }
      }
    }
  }
  CHECK(num_checked > 100);
}

TEST_CASE("d-left: p-values of 1e-5 are valid with short remainders", "[variants][theory][.long]") {
  for (const OverfullTable& table : {OverfullTable{4, 16, 7, 9}, OverfullTable{4, 16, 6, 12},
                                     OverfullTable{2, 32, 6, 9}, OverfullTable{8, 32, 8, 9}}) {
    const auto refused = law_of(table);
    REQUIRE(refused.law);
    constexpr std::size_t kNumTables = 200'000;
    double num_small = 0;
    for (const std::uint64_t count : refused_inserts(table, kNumTables)) {
      num_small += refused.law->two_sided_p_value(count) <= 1e-5 ? 1 : 0;
    }
    CAPTURE(table.num_subtables, table.num_buckets, table.remainder_bits, num_small);
    CHECK(statistics::binomial_upper_tail(kNumTables, 1e-5, num_small) >
          bloometry::test::rejection_threshold());
  }
}
