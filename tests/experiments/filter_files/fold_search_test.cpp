#include "experiments/filter_files/fold_search.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/contract/size_axis.hpp"
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

TEST_CASE("every divisor of the foldable size folds, and no other", "[filters]") {
  const auto require_exact = [](const FileFilter& filter, std::uint64_t most) {
    const std::vector<std::uint64_t> divisors = fold_divisors(filter);
    for (std::uint64_t divisor = 2; divisor <= most; ++divisor) {
      CAPTURE(divisor);
      const bool is_divisor = std::binary_search(divisors.begin(), divisors.end(), divisor);
      bool folds = true;
      try {
        static_cast<void>(filter.fold(divisor));
      } catch (const ConfigError&) {
        folds = false;
      }
      CHECK(folds == is_divisor);
    }
  };
  for (const std::string_view name : variants_that_can(Operation::kFold)) {
    const VariantInfo& variant = find_variant(name);
    for (const SchemeInfo& scheme : variant.schemes) {
      if (!scheme.can_fold) continue;
      // 3072 cells in 6 slices of equal length, and 3074 cells in slices that differ in length.
      for (const std::uint64_t size : {3072U, 3074U}) {
        CAPTURE(name, scheme.name, size);
        FilterSpec spec{.num_hashes =
                            std::clamp(6U, variant.min_num_hashes, variant.max_num_hashes)};
        if (variant.sized_by_blocks) {
          spec.num_blocks = 12;
        } else {
          set_size(spec, variant.cell_axis(), size);
        }
        const BloometryFilter filter(scheme.make(spec), FilterHash("xxh3", 0, std::nullopt), {});
        require_exact(filter, 3100);
      }
    }
  }
  require_exact(*make_foreign_filter("redisbloom", {.num_keys = 600, .rate = 0.01}), 300);
  require_exact(*make_foreign_filter("parquet_sbbf", {.num_bits = 24 * 256}), 50);
}

TEST_CASE("a list of divisors names the first of them", "[filters]") {
  CHECK(divisors_text({}) == "none");
  CHECK(divisors_text(std::vector<std::uint64_t>{2, 3, 6}) == "2, 3, 6");
  const std::vector<std::uint64_t> many = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  CHECK(divisors_text(many) == "2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 2 more");
}

TEST_CASE("filters that do not fold are refused", "[filters]") {
  const auto guava = make_foreign_filter("guava", {.num_keys = 100, .rate = 0.01});
  CHECK_THROWS_AS(fold_to_rate(*guava, 0.5, [](std::uint64_t) {}), ConfigError);
}

}  // namespace
}  // namespace bloometry
