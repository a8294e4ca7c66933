#include "variants/cuckoo/cuckoo_overfull.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "core/probe/digest_words.hpp"
#include "core/statistics/special_functions.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/cuckoo/cuckoo_filter.hpp"

namespace bloometry {
namespace {

constexpr double kMostOdds = kCuckooOddsOfRefusal;

/// Results of filters with random keys.
struct Counts {
  double num_filters = 0;
  double num_overfull_sets = 0;
  double sum_of_squares = 0;  ///< of the number of overfull sets of a filter
  double num_refusing = 0;    ///< filters that refused a key
};

/// Returns the number of sets of two or three buckets to which more keys belong than fit, where
/// pairs[i][j] is the number of keys with the buckets i and j.
double overfull_sets(const std::vector<std::vector<unsigned>>& pairs, unsigned bucket_cells) {
  double count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      if (i < j && pairs[i][j] > 2 * bucket_cells) ++count;
      for (std::size_t k = 0; k < j; ++k) {
        const bool are_two_pairs = pairs[i][j] > 0 && pairs[i][k] > 0;
        if (are_two_pairs && pairs[i][j] + pairs[i][k] > 3 * bucket_cells) ++count;
      }
    }
  }
  return count;
}

Counts count_filters(const FilterSpec& spec, std::uint64_t num_keys, std::size_t num_filters,
                     bool counts_sets) {
  CuckooFilter filter(spec);
  const Geometry geometry = CuckooFilter::geometry(spec);
  const CuckooDesign design(geometry, CuckooFilter::resolved_params(spec));
  const std::uint64_t seed = mix64(test::test_seed() + num_keys);
  Counts counts{.num_filters = static_cast<double>(num_filters)};
  std::vector<std::vector<unsigned>> pairs;
  for (std::size_t i = 0; i < num_filters; ++i) {
    filter.clear();
    bool is_refused = false;
    if (counts_sets) {
      pairs.assign(geometry.num_blocks(), std::vector<unsigned>(geometry.num_blocks()));
    }
    for (const Digest& key : test::member_digests(num_keys, mix64(seed + i))) {
      is_refused |= filter.try_insert(key) == Insertion::kFull;
      if (!counts_sets) continue;
      const auto [first, other] = design.place(DigestWordProbes(key, 0)).buckets;
      ++pairs[first][other];
      ++pairs[other][first];
    }
    counts.num_refusing += is_refused ? 1 : 0;
    if (!counts_sets) continue;
    const double num_sets = overfull_sets(pairs, geometry.block_cells);
    counts.num_overfull_sets += num_sets;
    counts.sum_of_squares += num_sets * num_sets;
  }
  return counts;
}

FilterSpec spec_of(std::uint64_t num_buckets, unsigned bucket_cells, unsigned fingerprint_bits) {
  return {.num_blocks = num_buckets,
          .params = {{"bucket_cells", double(bucket_cells)},
                     {"fingerprint_bits", double(fingerprint_bits)}}};
}

FilterSpec spec_for(std::uint64_t capacity, unsigned bucket_cells, bool is_semi_sorted = false) {
  FilterSpec spec{.capacity = capacity,
                  .target_false_positive_rate = 0.9,
                  .params = {{"bucket_cells", double(bucket_cells)}}};
  if (is_semi_sorted) spec.params.emplace("semi_sorting", 1.0);
  return spec;
}

double expected_sets(const FilterSpec& spec, std::uint64_t num_keys) {
  const Geometry geometry = CuckooFilter::geometry(spec);
  return theory::cuckoo_overfull_sets(
      static_cast<double>(num_keys), geometry.num_blocks(), geometry.block_cells,
      cuckoo_fingerprint_bits(geometry, is_semi_sorted(spec.params)));
}

}  // namespace

TEST_CASE("cuckoo: keys of overfull buckets are as many as expected, and are refused",
          "[variants][theory]") {
  // At half of the cells, nearly only overfull sets of two or three buckets refuse keys.
  for (const std::uint64_t num_buckets : {24U, 36U}) {
    const FilterSpec spec = spec_of(num_buckets, 2, 5);
    const double expected = expected_sets(spec, num_buckets);
    const Counts counts = count_filters(spec, num_buckets, 20'000, true);
    CAPTURE(num_buckets, expected, counts.num_overfull_sets, counts.num_refusing);
    const double mean = counts.num_filters * expected;
    const double z = statistics::normal_upper_quantile(test::rejection_threshold() / 2);
    CHECK(std::abs(counts.num_overfull_sets - mean) <= z * std::sqrt(counts.sum_of_squares));
    CHECK(statistics::poisson_upper_tail(mean, counts.num_refusing) > test::rejection_threshold());
  }
}

TEST_CASE("cuckoo: the bound of overfull sets holds for all small tables", "[variants][theory]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    for (std::uint64_t num_buckets = 4; num_buckets <= 2000; num_buckets += 2) {
      for (const unsigned width : {4U, 6U, 8U, 10U}) {
        const double num_keys = 0.9 * static_cast<double>(num_buckets * bucket_cells);
        CAPTURE(bucket_cells, num_buckets, width);
        REQUIRE(theory::cuckoo_overfull_sets_bound(num_keys, num_buckets, bucket_cells, width) >=
                theory::cuckoo_overfull_sets(num_keys, num_buckets, bucket_cells, width));
      }
    }
  }
  // With wide fingerprints, the bound decides at every capacity.
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    for (double num_keys = 2 * bucket_cells + 1; num_keys < 1e18; num_keys = 1 + 1.1 * num_keys) {
      const double num_cells = cuckoo_cells_for_keys(num_keys, bucket_cells, 56);
      CAPTURE(bucket_cells, num_keys);
      for (const unsigned width : {28U, 40U, 56U}) {
        REQUIRE(theory::cuckoo_overfull_sets_bound(
                    num_keys, static_cast<std::uint64_t>(num_cells / bucket_cells), bucket_cells,
                    width) <= kMostOdds);
      }
    }
  }
}

TEST_CASE("cuckoo: a filter for n keys expects at most 1e-6 overfull sets", "[variants][theory]") {
  for (std::uint64_t capacity = 1; capacity < 1500; ++capacity) {
    for (const unsigned bucket_cells : {2U, 4U, 8U}) {
      CAPTURE(bucket_cells, capacity);
      if (capacity > 2 * bucket_cells) {
        REQUIRE(expected_sets(spec_for(capacity, bucket_cells), capacity) <= kMostOdds);
      }
      for (const unsigned width : {6U, 7U, 10U}) {
        FilterSpec requested = spec_for(capacity, bucket_cells);
        requested.params.emplace("fingerprint_bits", double(width));
        const Geometry geometry = CuckooFilter::geometry(requested);
        CHECK(
            is_within_cuckoo_capacity(static_cast<double>(capacity), geometry, width) ==
            (width >= cuckoo_least_fingerprint_bits(static_cast<double>(capacity), bucket_cells)));
      }
    }
    if (capacity > 8) REQUIRE(expected_sets(spec_for(capacity, 4, true), capacity) <= kMostOdds);
  }
  // Ten of the 63 fingerprints have the same sum of buckets in a table of 36 buckets, so 106 keys
  // need more cells than 106/0.95 + 32.
  CHECK(CuckooFilter::geometry(spec_for(105, 4)).num_cells == 152);
  CHECK(CuckooFilter::geometry(spec_for(106, 4)).num_cells == 152);
  CHECK(expected_sets(spec_of(36, 4, 6), 106) > 9e-6);
}

TEST_CASE("cuckoo: the memory for a capacity has the odds at every width", "[variants][theory]") {
  for (const std::uint64_t capacity : {20ULL, 53ULL, 106ULL, 152ULL, 1000ULL}) {
    const auto num_keys = static_cast<double>(capacity);
    for (double bits_per_key = 8; bits_per_key < 40; bits_per_key += 0.37) {
      const FilterSpec spec{.capacity = capacity, .bits_per_key = bits_per_key};
      Geometry geometry;
      try {
        geometry = cuckoo_geometry(spec, 4, std::nullopt);
      } catch (const ConfigError&) {
        continue;  // too little memory
      }
      CAPTURE(capacity, bits_per_key);
      REQUIRE(is_within_cuckoo_capacity(num_keys, geometry, geometry.cell_bits));
    }
  }
}

TEST_CASE("cuckoo: at the worst sizes, at most 1e-6 of the filters refuse a key",
          "[variants][theory][.long]") {
  // The sizes with the largest expected numbers of overfull sets.
  for (const auto& [capacity, bucket_cells] :
       {std::pair{72ULL, 4U}, std::pair{85ULL, 4U}, std::pair{450ULL, 2U}}) {
    constexpr std::size_t kNumFilters = 2'000'000;
    const Counts counts =
        count_filters(spec_for(capacity, bucket_cells), capacity, kNumFilters, false);
    CAPTURE(capacity, bucket_cells, counts.num_refusing);
    CHECK(statistics::binomial_upper_tail(kNumFilters, kMostOdds, counts.num_refusing) >
          test::rejection_threshold());
  }
}

}  // namespace bloometry
