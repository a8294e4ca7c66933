#include "experiments/filter_files/fold_search.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

void insert_some(FileFilter& filter, int count) {
  std::vector<std::string> keys;
  for (int i = 0; i < count; ++i) keys.push_back(std::to_string(i));
  const std::vector<KeyView> views(keys.begin(), keys.end());
  filter.insert(views);
}

/// The rate of the folded filter, by divisor.
using RatesOfFolds = std::map<std::uint64_t, double>;

RatesOfFolds rates_of_all_folds(const FileFilter& filter) {
  RatesOfFolds rates;
  for (std::uint64_t divisor = 2; divisor <= filter.foldable_size(); ++divisor) {
    if (filter.foldable_size() % divisor != 0) continue;
    try {
      rates[divisor] = filter.fold(divisor)->facts().rate();
    } catch (const ConfigError&) {
      continue;
    }
  }
  return rates;
}

/// Returns the largest divisor whose folded filter has at most the given rate.
std::uint64_t best_divisor(const RatesOfFolds& rates, double rate) {
  std::uint64_t best = 1;
  for (const auto& [divisor, of_fold] : rates) {
    if (of_fold <= rate) best = divisor;
  }
  return best;
}

void check_all_rates(const FileFilter& filter) {
  const RatesOfFolds rates = rates_of_all_folds(filter);
  bool has_folded = false;
  for (const double rate : {1e-9, 0.001, 0.05, 0.9, 1.0}) {
    CAPTURE(rate);
    const FoldedFilter folded = fold_to_rate(filter, rate, [](std::uint64_t) {});
    CHECK(folded.divisor == best_divisor(rates, rate));
    CHECK((folded.filter == nullptr) == (folded.divisor == 1));
    if (!folded.filter) continue;
    has_folded = true;
    CHECK(folded.filter->facts().rate() <= rate);
    CHECK(folded.filter->cells().front().size() * folded.divisor >= filter.cells().front().size());
  }
  CHECK(has_folded);
}

TEST_CASE("the smallest size that keeps a rate equals that of an exhaustive search", "[filters]") {
  for (const std::string_view variant : variants_that_can(Operation::kFold)) {
    CAPTURE(variant);
    // The number of bits, 2^10 3^2 5 7, has 132 divisors. The number of 512-bit blocks has fewer
    // divisors.
    FilterSpec spec{.num_bits = 322'560};
    if (find_variant(variant).min_num_hashes <= 4) spec.num_hashes = 4;
    BloometryFilter filter(find_variant(variant).schemes.front().make(spec),
                           FilterHash("xxh3", 0, std::nullopt), FileHeader{});
    insert_some(filter, 900);
    check_all_rates(filter);
  }
}

TEST_CASE("filters of RedisBloom and Parquet fold to a rate", "[filters][exhaustive]") {
  const auto redisbloom = make_foreign_filter("redisbloom", {.num_keys = 100'000, .rate = 0.001});
  insert_some(*redisbloom, 2000);
  check_all_rates(*redisbloom);
  const auto parquet = make_foreign_filter("parquet_sbbf", {.num_keys = 100'000, .rate = 0.01});
  insert_some(*parquet, 2000);
  check_all_rates(*parquet);
}

TEST_CASE("filters that do not fold are refused", "[filters]") {
  const auto guava = make_foreign_filter("guava", {.num_keys = 100, .rate = 0.01});
  CHECK_THROWS_AS(fold_to_rate(*guava, 0.5, [](std::uint64_t) {}), ConfigError);
}

}  // namespace
}  // namespace bloometry
