// The rates of core/theory/coincidences.hpp are compared with counts over many filters. Each
// comparison fails by chance with probability 1e-7, and at least one of them with 2e-6.

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/theory/coincidences.hpp"
#include "core/theory/few_word_schemes.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"

namespace bloometry::theory {
namespace {

/// Normal quantile of the false alarm 1e-7, on two sides.
constexpr double kMostErrors = 5.33;

struct Measured {
  double rate = 0;
  double standard_error = 0;  ///< over filters
};

/// Counts the false positives of many filters of n keys.
template <class Scheme>
Measured measure(const Scheme& scheme, std::uint64_t n, unsigned num_filters,
                 unsigned num_queries) {
  Draws draws(20261128);
  std::vector<std::uint64_t> indices(scheme.num_hashes());
  std::vector<char> bits(scheme.num_bits());
  double sum = 0;
  double sum_of_squares = 0;
  for (unsigned f = 0; f < num_filters; ++f) {
    std::fill(bits.begin(), bits.end(), 0);
    for (std::uint64_t i = 0; i < n; ++i) {
      scheme.indices(scheme.draw(draws), indices);
      for (const std::uint64_t index : indices) bits[index] = 1;
    }
    double num_hits = 0;
    for (unsigned q = 0; q < num_queries; ++q) {
      scheme.indices(scheme.draw(draws), indices);
      bool is_positive = true;
      for (const std::uint64_t index : indices) is_positive = is_positive && bits[index] != 0;
      num_hits += is_positive;
    }
    sum += num_hits;
    sum_of_squares += num_hits * num_hits;
  }
  const double mean = sum / num_filters;
  const double variance = sum_of_squares / num_filters - mean * mean;
  return {mean / num_queries, std::sqrt(variance / num_filters) / num_queries};
}

/// Compares the model with the counts, and shows that the counts reject independent probes.
template <class Scheme>
void check(FewWordScheme name, const Scheme& scheme, std::uint64_t n, unsigned num_filters,
           unsigned num_queries) {
  const std::uint64_t m = scheme.num_bits();
  const unsigned k = scheme.num_hashes();
  const Measured measured = measure(scheme, n, num_filters, num_queries);
  const ModelRate model = coincidence_rate(name, n, m, k);
  CAPTURE(static_cast<int>(name), n, m, k, measured.rate, measured.standard_error, model.rate,
          model.integration_error);
  const double error = std::hypot(measured.standard_error, model.integration_error);
  CHECK(std::fabs(measured.rate - model.rate) < kMostErrors * error);
  const double independent = exact_rate_with_replacement(n, m, k);
  CHECK(std::fabs(measured.rate - independent) > kMostErrors * measured.standard_error);
}

}  // namespace

TEST_CASE("few_word_rates: filters have the rate of the model, unlike that of independent probes",
          "[statistical]") {
  SECTION("MITZ_64 of Guava, and Jedis") {
    check(FewWordScheme::kModulo63, WrappedSums<63>(64, 10), 1, 3000, 1000);
    check(FewWordScheme::kModulo63, WrappedSums<63>(384, 27), 10, 1500, 3000);
    check(FewWordScheme::kModulo63, WrappedSums<63>(2880, 20), 100, 100, 30000);
  }
  SECTION("RedisBloom") {
    check(FewWordScheme::kModulo64, WrappedSums<64>(448, 28), 10, 1500, 3000);
    check(FewWordScheme::kModulo64, WrappedSums<64>(3072, 21), 100, 100, 30000);
  }
  SECTION("MITZ_32 of Guava") {
    check(FewWordScheme::kFolded32, FoldedSums(2880, 20), 100, 100, 30000);
  }
  SECTION("bits-and-blooms/bloom") {
    check(FewWordScheme::kFourWords, FourWordSums(96, 7), 10, 1500, 1000);
  }
  SECTION("DCSO/bloom") {
    check(FewWordScheme::kFactor, FactorIndices(958, 7), 100, 1000, 10000);
  }
  SECTION("double hashing modulo m") {
    check(FewWordScheme::kModuloAny, ResidueSums<Stride::kAny, Change::kNone>(2048, 14), 100, 300,
          30000);
    check(FewWordScheme::kModuloOdd, ResidueSums<Stride::kOdd, Change::kNone>(2048, 14), 100, 300,
          30000);
    check(FewWordScheme::kModuloNonZero, ResidueSums<Stride::kNonZero, Change::kNone>(1447, 10),
          100, 300, 30000);
  }
  SECTION("enhanced and triple hashing") {
    check(FewWordScheme::kEnhancedModulo, ResidueSums<Stride::kAny, Change::kCubic>(512, 14), 25,
          1000, 10000);
    check(FewWordScheme::kEnhancedModuloOdd, ResidueSums<Stride::kOdd, Change::kCubic>(512, 14), 25,
          1000, 10000);
    check(FewWordScheme::kTripleModulo, ResidueSums<Stride::kAny, Change::kRandom>(512, 14), 25,
          1000, 10000);
  }
  SECTION("double hashing by fastrange") {
    check(FewWordScheme::kFastrange, FastrangeSums(2048, 14), 100, 300, 30000);
  }
}

}  // namespace bloometry::theory
