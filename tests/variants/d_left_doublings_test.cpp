// Tests the answers and the rate of a d-left filter across its doublings.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/statistics/significance.hpp"
#include "core/theory/fill_moments.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/d_left/d_left_filter.hpp"
#include "variants/d_left/d_left_rates.hpp"
#include "variants/d_left/d_left_theory.hpp"

namespace bloometry {
namespace {

unsigned remainder_width(const DLeftFilter& filter) {
  return static_cast<unsigned>(number_param(filter.params(), "remainder_bits"));
}

/// Returns an empty filter of the same size that does not grow on its own.
DLeftFilter undoubled_like(const DLeftFilter& filter) {
  return DLeftFilter({.num_counters = filter.geometry().num_cells,
                      .num_hashes = filter.num_hashes(),
                      .params = {{"remainder_bits", double(remainder_width(filter))}}});
}

std::vector<std::uint64_t> answers_of(const DLeftFilter& filter, std::span<const Digest> queries) {
  std::vector<std::uint64_t> words((queries.size() + 63) / 64);
  query_chunks(filter, DigestChunks(queries), BitAnswers(words));
  return words;
}

/// Checks the rate of num_queries queries against a predicted rate.
void check_rate(std::uint64_t num_positives, std::uint64_t num_queries, double predicted) {
  const double expected = predicted * static_cast<double>(num_queries);
  CAPTURE(num_positives, num_queries, predicted);
  CHECK(std::abs(static_cast<double>(num_positives) - expected) <=
        statistics::two_sided_z(test::rejection_threshold()) * std::sqrt(expected));
}

/// Fills a filter from 1e5 to 1.6e6 keys, and compares its answers before and after each doubling.
void check_four_doublings(std::uint64_t num_queries) {
  constexpr std::uint64_t kMaxCapacity = 1'600'000;
  const FilterSpec spec{.capacity = 100'000,
                        .target_false_positive_rate = 0.01,
                        .params = {{"max_capacity", double(kMaxCapacity)}}};
  DLeftFilter filter(spec);
  const unsigned first_remainder = remainder_width(filter);
  const std::uint64_t first_buckets = d_left_subtable_buckets(filter.geometry());
  const auto keys = test::member_digests(kMaxCapacity);
  const auto queries = test::nonmember_digests(num_queries);
  const auto num_positives_of = [&] { return count_positives(filter, std::span(queries)); };
  const auto rate_at = [&](std::uint64_t num_keys) {
    return theory::d_left_rate(num_keys, first_buckets, first_remainder);
  };
  DLeftFilter undoubled = undoubled_like(filter);
  std::vector<std::uint64_t> sizes = {filter.num_bits()};
  std::uint64_t num_refused = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    num_refused += filter.try_insert(keys[i]) == Insertion::kFull ? 1 : 0;
    num_refused += undoubled.try_insert(keys[i]) == Insertion::kFull ? 1 : 0;
    if (filter.num_bits() == sizes.back()) continue;
    sizes.push_back(filter.num_bits());
    // The table has doubled, and the other table contains the same keys.
    CAPTURE(i, sizes.size());
    CHECK(answers_of(filter, queries) == answers_of(undoubled, queries));
    CHECK(count_positives(filter, std::span(keys).first(i + 1)) == i + 1);
    CHECK(filter.state().num_ones == undoubled.state().num_ones);
    CHECK(filter.state().num_ones ==
          d_left_capacity(d_left_subtable_buckets(undoubled.geometry()), 4) + 1);
    check_rate(num_positives_of(), num_queries, rate_at(i + 1));
    undoubled.grow();
    CHECK(filter.geometry() == undoubled.geometry());
  }
  CHECK(num_refused == 0);
  CHECK(sizes.size() == 5);
  CHECK(remainder_width(filter) == first_remainder - 4);
  CHECK(filter.geometry() == DLeftFilter::geometry_at(spec, 1'600'000));
  CHECK(count_positives(filter, std::span(keys)) == keys.size());
  CHECK(rate_at(kMaxCapacity) <= 0.01);
  check_rate(num_positives_of(), num_queries, rate_at(kMaxCapacity));
  // Batches prefetch for tables of this size.
  DLeftFilter batch(spec);
  CHECK_FALSE(try_insert_all(batch, keys).is_full);
  CHECK(batch == filter);
}

/// Returns the fewest keys whose expected number of different fingerprints is above num_occupied.
std::uint64_t keys_that_occupy(double num_occupied, std::uint64_t num_fingerprints) {
  std::uint64_t n = 1;
  while (theory::fill_moments(ProbeModel::kWithReplacement, n, num_fingerprints, 1).mean <=
         num_occupied) {
    ++n;
  }
  return n;
}

}  // namespace

TEST_CASE("d_left growth: the expected fill is the mean over filters that have doubled or not",
          "[variants][d_left][theory]") {
  constexpr std::uint64_t kBuckets = 16;
  constexpr int kNumTables = 4000;
  const FilterSpec spec{.num_counters = 2 * 8 * kBuckets,
                        .num_hashes = 2,
                        .params = {{"remainder_bits", 6.0}, {"max_capacity", 1000.0}}};
  const auto capacity = static_cast<double>(d_left_capacity(kBuckets, 2));
  const std::uint64_t num_keys = keys_that_occupy(capacity + 0.5, kBuckets << 6U);
  double sum = 0;
  double squares = 0;
  int num_doubled = 0;
  for (int i = 0; i < kNumTables; ++i) {
    DLeftFilter filter(spec);
    for (const Digest& key : test::member_digests(num_keys, static_cast<std::uint64_t>(i))) {
      static_cast<void>(filter.try_insert(key));
    }
    const double fill = static_cast<double>(filter.state().num_ones) /
                        static_cast<double>(filter.geometry().num_cells);
    num_doubled += filter.geometry() == DLeftFilter::geometry(spec) ? 0 : 1;
    sum += fill;
    squares += fill * fill;
  }
  REQUIRE(num_doubled > kNumTables / 4);
  REQUIRE(num_doubled < kNumTables * 3 / 4);
  const double mean = sum / kNumTables;
  const double error = std::sqrt((squares / kNumTables - mean * mean) / kNumTables);
  const double expected =
      *DLeftTheory::predict(spec, ProbeModel::kWithReplacement, num_keys).expected_fill_ratio;
  CAPTURE(num_keys, num_doubled, mean, error, expected);
  CHECK(std::abs(mean - expected) <= statistics::two_sided_z(test::rejection_threshold()) * error);
}

TEST_CASE("d_left growth: the expected fill is at most 1", "[variants][d_left][theory]") {
  const auto fill_of = [](const FilterSpec& spec, std::uint64_t num_keys) {
    return *DLeftTheory::predict(spec, ProbeModel::kWithReplacement, num_keys).expected_fill_ratio;
  };
  const FilterSpec spec{.num_counters = 64};
  CHECK(fill_of(spec, 64) == Approx(1).epsilon(1e-3));
  CHECK(fill_of(spec, 300) == 1);
  FilterSpec growing = spec;
  growing.params = {{"max_capacity", 100.0}};
  CHECK(fill_of(growing, 100'000) == 1);
}

TEST_CASE("d_left growth: no answer changes in four doublings from 1e5 to 1.6e6 keys",
          "[variants][d_left]") {
  check_four_doublings(1'000'000);
}

TEST_CASE("d_left growth: no answer to 1e7 queries changes in four doublings",
          "[variants][d_left][.long]") {
  check_four_doublings(10'000'000);
}

}  // namespace bloometry
