// Tests the answers and the rate of a d-left filter across its doublings.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/statistics/significance.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/d_left/d_left_filter.hpp"
#include "variants/d_left/d_left_rates.hpp"

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

}  // namespace

TEST_CASE("d_left growth: no answer changes in four doublings from 1e5 to 1.6e6 keys",
          "[variants][d_left]") {
  check_four_doublings(1'000'000);
}

TEST_CASE("d_left growth: no answer to 1e7 queries changes in four doublings",
          "[variants][d_left][.long]") {
  check_four_doublings(10'000'000);
}

}  // namespace bloometry
