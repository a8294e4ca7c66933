#include "variants/d_left/d_left_sizing.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/d_left/d_left_filter.hpp"
#include "variants/d_left/d_left_rates.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

FilterSpec doubling_spec(std::uint64_t capacity, std::uint64_t max_capacity, double rate) {
  return {.capacity = capacity,
          .target_false_positive_rate = rate,
          .params = {{"max_capacity", double(max_capacity)}}};
}

std::string sizing_refusal(const FilterSpec& spec) {
  return test::message_of<ConfigError>([&] { (void)DLeftFilter::geometry(spec); });
}

unsigned remainder_bits_in(const Geometry& geometry) {
  return geometry.cell_bits - 2;  // the default of counter_bits is 2
}

}  // namespace

TEST_CASE("d_left: remainders are the narrowest with the rate at max_capacity",
          "[variants][theory][d_left]") {
  for (const unsigned d : {2U, 4U, 5U, 8U}) {
    for (const std::uint64_t capacity : {1ULL, 100ULL, 12'345ULL, 1'000'000ULL}) {
      for (const std::uint64_t factor : {1ULL, 3ULL, 16ULL, 1'000ULL}) {
        for (const double rate : {0.999, 0.5, 0.01, 1e-5}) {
          FilterSpec spec = doubling_spec(capacity, capacity * factor, rate);
          spec.num_hashes = d;
          CAPTURE(d, capacity, factor, rate);
          const Geometry first = DLeftFilter::geometry(spec);
          const std::uint64_t num_buckets = d_left_subtable_buckets(first);
          const unsigned width = remainder_bits_in(first);
          REQUIRE(d_left_capacity(num_buckets, d) >= capacity);
          REQUIRE(theory::d_left_rate(capacity * factor, num_buckets, width) <= rate);
          const Geometry last = DLeftFilter::geometry_at(spec, capacity * factor);
          REQUIRE(d_left_capacity(d_left_subtable_buckets(last), d) >= capacity * factor);
          REQUIRE(remainder_bits_in(last) >= 1);
          REQUIRE(last.num_blocks() << remainder_bits_in(last) == first.num_blocks() << width);
          // With one bit less, the rate would be too high, or the last doubling impossible.
          REQUIRE((remainder_bits_in(last) == 1 ||
                   theory::d_left_rate(capacity * factor, num_buckets, width - 1) > rate));
          // More keys do not make the filter grow further.
          REQUIRE(DLeftFilter::geometry_at(spec, ~std::uint64_t{0}) == last);
        }
      }
    }
  }
}

TEST_CASE("d_left: with max_capacity equal to the capacity, the filter has its usual size",
          "[variants][theory][d_left]") {
  const FilterSpec usual{.capacity = 5'000, .target_false_positive_rate = 0.01};
  CHECK(DLeftFilter::geometry(doubling_spec(5'000, 5'000, 0.01)) == DLeftFilter::geometry(usual));
  CHECK_FALSE(DLeftFilter(usual).params().contains("max_capacity"));
  CHECK(number_param(DLeftFilter(doubling_spec(5'000, 5'000, 0.01)).params(), "max_capacity") ==
        5'000);
}

TEST_CASE("d_left: one key grows to a billion", "[variants][theory][d_left]") {
  const FilterSpec spec = doubling_spec(1, 1'000'000'000, 0.01);
  const Geometry first = DLeftFilter::geometry(spec);
  CHECK(first.num_cells == 32);
  const Geometry last = DLeftFilter::geometry_at(spec, 1'000'000'000);
  CHECK(last.num_cells == 32ULL << 26U);
  CHECK(first.cell_bits == last.cell_bits + 26);
  CHECK(DLeftFilter(spec).num_bits() == first.num_bits());
}

TEST_CASE("d_left: the memory of a spec is that of the table before it doubles",
          "[variants][theory][d_left]") {
  const FilterSpec spec{
      .capacity = 1'000, .num_bits = 30'000, .params = {{"max_capacity", 16'000.0}}};
  const Geometry first = DLeftFilter::geometry(spec);
  CHECK(first.num_bits() < 30'000 + 32 * first.cell_bits);  // rounded up to whole buckets
  CHECK(first.num_bits() > 28'000);
  CHECK(DLeftFilter::geometry_at(spec, 16'000).num_cells == 16 * first.num_cells);
}

TEST_CASE("d_left: growth that the remainders do not allow is refused by name",
          "[variants][theory][d_left]") {
  CHECK(sizing_refusal(doubling_spec(1'000, 999, 0.01)) ==
        "max_capacity must be at least the capacity, 1000, got 999");
  CHECK(sizing_refusal(
            {.capacity = 1'000, .num_bits = 1U << 20U, .params = {{"max_capacity", 10.0}}}) ==
        "max_capacity must be at least the capacity, 1000, got 10");
  CHECK(sizing_refusal(doubling_spec(1, 1'000'000'000, 1e-12)) ==
        "target_false_positive_rate must be at least 1.387778771151796e-08 for d_left with "
        "capacity 1 and max_capacity 1000000000, got 1e-12");
  CHECK(sizing_refusal(
            {.capacity = 1'000, .num_bits = 8'000, .params = {{"max_capacity", 16'000.0}}}) ==
        "num_bits must be at least 9408 for d_left with capacity 1000 and max_capacity 16000, got "
        "8000");
  CHECK(sizing_refusal(
            {.capacity = 1'000, .bits_per_key = 8, .params = {{"max_capacity", 16'000.0}}}) ==
        "bits_per_key must be at least 9.408 for d_left with capacity 1000 and max_capacity 16000, "
        "got 8");
  FilterSpec narrow = doubling_spec(1'000, 16'000, 0.01);
  narrow.params["remainder_bits"] = 4.0;
  CHECK(sizing_refusal(narrow) ==
        "remainder_bits must be at least 16 for this rate and capacity, got 4");
  const FilterSpec by_cells{.num_blocks = 40,
                            .params = {{"remainder_bits", 4.0}, {"max_capacity", 1'921.0}}};
  CHECK(sizing_refusal(by_cells) ==
        "max_capacity must be at most 1920 with 10 buckets per subtable and remainders of 4 bits, "
        "got 1921");
  CHECK(sizing_refusal(doubling_spec(1'000, 0, 0.01)) ==
        "max_capacity must be a whole number in [1, 9007199254740992], got 0");
  FilterSpec most = by_cells;
  most.params["max_capacity"] = 1'920.0;
  CHECK(remainder_bits_in(DLeftFilter::geometry_at(most, 1'920)) == 1);
  const FilterSpec huge = doubling_spec(1, std::uint64_t{1} << 53U, 0.999);
  CHECK(remainder_bits_in(DLeftFilter::geometry_at(huge, std::uint64_t{1} << 53U)) >= 1);
}

TEST_CASE("d_left: the theory of a filter that doubles depends on its first table alone",
          "[variants][theory][d_left]") {
  const FilterSpec spec = doubling_spec(1'000, 16'000, 0.01);
  const VariantInfo& variant = find_variant("d_left");
  const VariantTheory& theory = find_theory("d_left");
  const Geometry first = variant.geometry(spec);
  const std::uint64_t num_buckets = d_left_subtable_buckets(first);
  for (const std::uint64_t n : {0ULL, 1'000ULL, 1'050ULL, 3'000ULL, 16'000ULL}) {
    CAPTURE(n);
    const Geometry at = variant.geometry_at(spec, n);
    CHECK(variant.num_bits_at(spec, n) == at.num_bits());
    const double rate = theory::d_left_rate(n, num_buckets, remainder_bits_in(first));
    const Prediction predicted = theory.predict(spec, ProbeModel::kWithReplacement, n);
    CHECK(*predicted.exact == rate);
    CHECK(theory.expected_rate(spec, ProbeModel::kWithReplacement, n) == rate);
    // The table that was filled to n keys is a table of another size with the same rate.
    const FilterSpec doubled{.num_counters = at.num_cells,
                             .num_hashes = at.num_hashes,
                             .params = {{"remainder_bits", double(remainder_bits_in(at))}}};
    CHECK(theory.expected_rate(doubled, ProbeModel::kWithReplacement, n) == rate);
    const double num_fingerprints = std::ldexp(double(num_buckets), int(remainder_bits_in(first)));
    CHECK(*predicted.expected_fill_ratio ==
          Approx(rate * num_fingerprints / static_cast<double>(at.num_cells)));
  }
  CHECK(variant.geometry_at(spec, 1'000) == first);
  CHECK(variant.geometry_at(spec, 1'009).num_cells == 2 * first.num_cells);
  CHECK(variant.geometry_at(spec, 16'000).num_cells == 16 * first.num_cells);
}

}  // namespace bloometry
