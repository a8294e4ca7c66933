// Prints a row of few_word_table.csv: the rate of a scheme by core/theory/coincidences.hpp beside a
// measured rate. The measurement uses at least 1,000 filters; its 95 % limits come from the spread
// between filters. The p-values compare the measurement with the model and with independent probes.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/store/bit_array.hpp"
#include "core/theory/coincidences.hpp"
#include "core/theory/few_word_schemes.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/foreign/formats/formats.hpp"

namespace bloometry {
namespace {

using theory::FewWordScheme;
using theory::KeyWords;

constexpr double kFewestHits = 400;
constexpr double kFewestFilters = 1000;

struct Counts {
  double num_filters = 0;
  double num_queries = 0;
  double num_hits = 0;
  double sum_of_squares = 0;  ///< of the hits of a filter

  void add(double num_hits_of_filter, double num_queries_of_filter) {
    ++num_filters;
    num_queries += num_queries_of_filter;
    num_hits += num_hits_of_filter;
    sum_of_squares += num_hits_of_filter * num_hits_of_filter;
  }

  [[nodiscard]] double rate() const { return num_hits / num_queries; }

  /// Returns the standard error over filters.
  [[nodiscard]] double error() const {
    const double mean = num_hits / num_filters;
    const double variance = (sum_of_squares - num_filters * mean * mean) / (num_filters - 1);
    return std::sqrt(variance / num_filters) * num_filters / num_queries;
  }
};

/// The indices of DCSO/bloom, as the program computes them.
class DcsoIndices {
 public:
  DcsoIndices(std::uint64_t num_bits, unsigned num_hashes)
      : num_bits_(num_bits), num_hashes_(num_hashes) {}

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_bits_; }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] static KeyWords draw(Draws& draws) noexcept {
    return {theory::random_word(draws) % kPrime, 0, 0, 0};
  }

  [[nodiscard]] std::uint64_t index(const KeyWords& words, unsigned i) const noexcept {
    std::uint64_t h = words[0];
    for (unsigned j = 0; j <= i; ++j) h = h * kFactor % kPrime;
    return h % num_bits_;
  }

  void indices(const KeyWords& words, std::span<std::uint64_t> out) const noexcept {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = index(words, i);
  }

 private:
  static constexpr std::uint64_t kPrime = 18446744073709551557U;
  static constexpr std::uint64_t kFactor = 18446744073709550147U;

  std::uint64_t num_bits_;
  unsigned num_hashes_;
};

template <class Scheme>
double hits_of_filter(const Scheme& scheme, std::uint64_t n, std::uint64_t num_queries,
                      Draws& draws) {
  BitArray<> bits(scheme.num_bits());
  std::vector<std::uint64_t> indices(scheme.num_hashes());
  for (std::uint64_t i = 0; i < n; ++i) {
    scheme.indices(scheme.draw(draws), indices);
    for (const std::uint64_t index : indices) bits.set(index);
  }
  double num_hits = 0;
  for (std::uint64_t q = 0; q < num_queries; ++q) {
    const KeyWords words = scheme.draw(draws);
    unsigned i = 0;
    while (i < scheme.num_hashes() && bits.test(scheme.index(words, i))) ++i;
    num_hits += i == scheme.num_hashes();
  }
  return num_hits;
}

template <class Scheme>
Counts measure(const Scheme& scheme, std::uint64_t n, double expected, double max_queries) {
  // Filters of few keys differ much from each other.
  const double num_filters = n <= 10 ? 40 * kFewestFilters : kFewestFilters;
  const double wanted = std::min(max_queries, 3 * kFewestHits / expected);
  const double per_filter = std::max(200.0, std::ceil(wanted / num_filters));
  Draws draws(n + scheme.num_bits());
  Counts counts;
  while (counts.num_filters < num_filters) {
    counts.add(hits_of_filter(scheme, n, static_cast<std::uint64_t>(per_filter), draws),
               per_filter);
  }
  return counts;
}

/// Returns the two-sided p-value of a difference in standard errors.
double p_value(double difference, double error) {
  return 2 * statistics::normal_upper_tail(std::fabs(difference) / error);
}

template <class Scheme>
void print_row(std::string_view name, FewWordScheme kind, std::uint64_t n, double p,
               const ForeignSizes& sizes, double max_queries) {
  const std::uint64_t m = sizes.num_bits;
  const unsigned k = sizes.num_hashes;
  const theory::ModelRate model = theory::coincidence_rate(kind, n, m, k);
  const double independent = theory::exact_rate_with_replacement(n, m, k);
  const Counts counts = measure(Scheme(m, k), n, model.rate, max_queries);
  const double error = counts.error();
  std::printf("%s,%llu,%g,%llu,%u,%.4g,%.2g,%.4g,%.0f,%.4g,%.0f,%.4g,%.4g,%.4g,%.2g,%.2g\n",
              std::string(name).c_str(), static_cast<unsigned long long>(n), p,
              static_cast<unsigned long long>(m), k, model.rate, model.integration_error,
              independent, counts.num_filters, counts.num_queries, counts.num_hits, counts.rate(),
              counts.rate() - 1.96 * error, counts.rate() + 1.96 * error,
              p_value(counts.rate() - model.rate, std::hypot(error, model.integration_error)),
              p_value(counts.rate() - independent, error));
  std::fflush(stdout);
}

using PrintRow = void (*)(std::string_view, FewWordScheme, std::uint64_t, double,
                          const ForeignSizes&, double);

struct TableScheme {
  std::string_view name;
  std::string_view format;  ///< whose sizes are used
  FewWordScheme kind;
  PrintRow print;
};

const std::vector<TableScheme>& table_schemes() {
  using namespace theory;
  static const std::vector<TableScheme> schemes = {
      {"guava", "guava", FewWordScheme::kModulo63, print_row<WrappedSums<63>>},
      {"guava_mitz_32", "guava", FewWordScheme::kFolded32, print_row<FoldedSums>},
      {"redisbloom", "redisbloom", FewWordScheme::kModulo64, print_row<WrappedSums<64>>},
      {"jedis", "jedis", FewWordScheme::kModulo63, print_row<WrappedSums<63>>},
      {"go_bits_and_blooms", "go_bits_and_blooms", FewWordScheme::kFourWords,
       print_row<FourWordSums>},
      {"dcso", "dcso", FewWordScheme::kFactor, print_row<DcsoIndices>},
      {"double_mod", "go_bits_and_blooms", FewWordScheme::kModuloNonZero,
       print_row<ResidueSums<Stride::kNonZero, Change::kNone>>},
      {"double_fastrange", "go_bits_and_blooms", FewWordScheme::kFastrange,
       print_row<FastrangeSums>}};
  return schemes;
}

double number(const char* text) {
  double value = 0;
  const std::string_view given(text);
  const auto end = std::from_chars(given.data(), given.data() + given.size(), value);
  if (end.ptr != given.data() + given.size())
    throw ConfigError("not a number: " + std::string(text));
  return value;
}

void print_table(std::string_view scheme, double n, double p, double max_queries) {
  for (const TableScheme& row : table_schemes()) {
    if (row.name != scheme) continue;
    const auto num_keys = static_cast<std::uint64_t>(n);
    row.print(row.name, row.kind, num_keys, p,
              find_foreign_format(row.format)->sizes_for(num_keys, p), max_queries);
    return;
  }
  throw ConfigError("unknown scheme " + std::string(scheme));
}

constexpr const char* kUsage =
    "usage: bloometry_few_word_table SCHEME N P MAX_QUERIES\n"
    "Prints one row. Schemes: guava, guava_mitz_32, redisbloom, jedis, go_bits_and_blooms, dcso,\n"
    "double_mod, double_fastrange. Example: bloometry_few_word_table guava 1000 1e-6 1e10\n";

}  // namespace
}  // namespace bloometry

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs(bloometry::kUsage, stderr);
    return 2;
  }
  try {
    bloometry::print_table(argv[1], bloometry::number(argv[2]), bloometry::number(argv[3]),
                           bloometry::number(argv[4]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}
