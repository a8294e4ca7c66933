// Tests the sizes of age-partitioned filters against a search over all numbers of slices.

#include "variants/age_partitioned/age_partitioned_sizing.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "core/rates/search.hpp"
#include "tests/support/catch.hpp"
#include "variants/age_partitioned/age_partitioned_settings.hpp"

namespace bloometry {
namespace {

AgeShape sized_age_shape(const FilterSpec& spec) {
  return age_settings(spec).shape;
}

std::uint64_t least_generation_capacity(std::uint64_t window, unsigned l) {
  std::uint64_t g = 1;
  while (l * g + 1 < window) ++g;
  return g;
}

/// Returns the least memory, over all k and all l up to 64, for a window and a rate.
std::uint64_t least_memory_of_all(std::uint64_t window, double p) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (unsigned l = 1; l <= kMaxChosenAgeGenerations; ++l) {
    const std::uint64_t g = least_generation_capacity(window, l);
    for (unsigned k = 1; k <= kMaxNumHashes; ++k) {
      const std::uint64_t most = std::min<std::uint64_t>(least / (k + l), 1U << 30U);
      const auto bits = least_that_holds(most, 1, most, [&](std::uint64_t slice_bits) {
        return keeps_rate(worst_age_partitioned_rate({k, l, g, slice_bits}), p);
      });
      if (bits) least = std::min(least, *bits * (k + l));
    }
  }
  return least;
}

/// Returns the lowest worst rate, over all k and all l up to 64, for a window and a size.
double lowest_rate_of_all(std::uint64_t window, std::uint64_t num_bits) {
  double lowest = 1;
  for (unsigned l = 1; l <= kMaxChosenAgeGenerations; ++l) {
    for (unsigned k = 1; k <= kMaxNumHashes && k + l <= num_bits; ++k) {
      const std::uint64_t slice_bits = (num_bits + k + l - 1) / (k + l);
      lowest = std::min(lowest, worst_age_partitioned_rate(
                                    {k, l, least_generation_capacity(window, l), slice_bits}));
    }
  }
  return lowest;
}

}  // namespace

TEST_CASE("age_partitioned: a rate gives the least memory of all k and l up to 64",
          "[variants][age_partitioned]") {
  for (const double p : {0.5, 0.1, 0.01, 1e-4, 1e-9}) {
    for (const std::uint64_t window : {1U, 2U, 3U, 4U, 7U, 10U, 30U, 100U, 1000U, 20'000U}) {
      CAPTURE(p, window);
      const AgeShape shape = sized_age_shape({.capacity = window, .target_false_positive_rate = p});
      CHECK(worst_age_partitioned_rate(shape) <= p);
      CHECK(shape.window() >= window);
      CHECK(shape.num_bits() == least_memory_of_all(window, p));
    }
  }
}

TEST_CASE("age_partitioned: a size gives the lowest rate of all k and l up to 64",
          "[variants][age_partitioned]") {
  for (const std::uint64_t window : {1U, 10U, 1000U}) {
    for (const double bits_per_key : {2.0, 10.0, 20.0, 45.0}) {
      CAPTURE(window, bits_per_key);
      const auto num_bits = static_cast<std::uint64_t>(bits_per_key * static_cast<double>(window));
      const AgeShape shape = sized_age_shape({.capacity = window, .num_bits = num_bits});
      CHECK(shape.num_bits() >= num_bits);
      CHECK(shape.num_bits() < num_bits + shape.num_slices());
      CHECK(worst_age_partitioned_rate(shape) == lowest_rate_of_all(window, num_bits));
    }
  }
}

TEST_CASE("age_partitioned: 1 % at a million inserts needs 19.6 bits per guaranteed key",
          "[variants][age_partitioned]") {
  const AgeShape shape =
      sized_age_shape({.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  CHECK(static_cast<double>(shape.num_bits()) / 1e6 == Approx(19.592).margin(0.0005));
}

TEST_CASE("age_partitioned: given parameters and k are kept, and the others follow",
          "[variants][age_partitioned]") {
  const auto shape_with = [](Params params, std::optional<unsigned> k = {}) {
    return sized_age_shape({.capacity = 1000,
                            .target_false_positive_rate = 0.01,
                            .num_hashes = k,
                            .params = std::move(params)});
  };
  CHECK(shape_with({}, 7).num_hashes == 7);
  const AgeShape five = shape_with({{"generations", 5.0}}, 7);
  CHECK(five == AgeShape{7, 5, 200, five.slice_bits});
  CHECK(worst_age_partitioned_rate({7, 5, 200, five.slice_bits - 1}) > 0.01);
  // l g + 1 >= 1000 with g = 100 needs l = 10.
  CHECK(shape_with({{"generation_capacity", 100.0}}).generations == 10);
  CHECK(shape_with({{"generation_capacity", 500.0}, {"generations", 3.0}}).window() == 1501);
  CHECK(sized_age_shape({.num_bits = 1200,
                         .num_hashes = 7,
                         .params = {{"generations", 5.0}, {"generation_capacity", 9.0}}}) ==
        AgeShape{7, 5, 9, 100});
  // 1201 bits are rounded up to 12 slices of 101 bits.
  CHECK(sized_age_shape({.num_bits = 1201,
                         .num_hashes = 7,
                         .params = {{"generations", 5.0}, {"generation_capacity", 9.0}}}) ==
        AgeShape{7, 5, 9, 101});
  CHECK(sized_age_shape(
            {.num_bits = 1500, .num_hashes = 7, .params = {{"generation_capacity", 9.0}}}) ==
        AgeShape{7, 8, 9, 100});
}

TEST_CASE("age_partitioned: the smallest and the largest sizes", "[variants][age_partitioned]") {
  CHECK(sized_age_shape({.capacity = 1, .num_bits = 2}) == AgeShape{1, 1, 1, 1});
  // Each slice has at least one bit.
  CHECK(sized_age_shape({.capacity = 1, .num_bits = 1}) == AgeShape{1, 1, 1, 1});
  CHECK(sized_age_shape({.num_bits = 1,
                         .num_hashes = 64,
                         .params = {{"generations", 256.0}, {"generation_capacity", 3.0}}}) ==
        AgeShape{64, 256, 3, 1});
  const AgeShape tiny = sized_age_shape({.capacity = 1, .target_false_positive_rate = 1e-30});
  CHECK(worst_age_partitioned_rate(tiny) <= 1e-30);
  CHECK(tiny.num_bits() == least_memory_of_all(1, 1e-30));
  const AgeShape large =
      sized_age_shape({.capacity = std::uint64_t{1} << 32U, .target_false_positive_rate = 1e-3});
  CHECK(large.window() >= std::uint64_t{1} << 32U);
  CHECK(worst_age_partitioned_rate(large) <= 1e-3);
  CHECK(worst_age_partitioned_rate({large.num_hashes, large.generations, large.generation_capacity,
                                    large.slice_bits - 1}) > 1e-3 * (1 - 1e-12));
}

TEST_CASE("age_partitioned: impossible specs are refused with the field and the allowed values",
          "[variants][age_partitioned]") {
  const auto refused = [](const FilterSpec& spec, const std::string& message) {
    CHECK_THROWS_WITH(sized_age_shape(spec), message);
  };
  refused({.num_bits = 100},
          "capacity must be given unless generation_capacity is given: a number of keys");
  refused({.capacity = 0, .num_bits = 100}, "capacity must be at least 1, got 0");
  refused({.capacity = (std::uint64_t{1} << 53U) + 1, .num_bits = 100},
          "capacity must be at most 2^53 insert calls, got 9007199254740993");
  refused({.capacity = 10, .num_bits = 100, .num_hashes = 65},
          "num_hashes must be in [1, 64], got 65");
  refused({.capacity = 1000,
           .num_bits = 9999,
           .params = {{"generations", 5.0}, {"generation_capacity", 199.0}}},
          "generation_capacity must be at least 200 for 5 generations and a window of 1000 insert "
          "calls, got 199");
  refused({.capacity = 1000, .num_bits = 9999, .params = {{"generation_capacity", 3.0}}},
          "generation_capacity must be at least 4 for 256 generations and a window of 1000 insert "
          "calls, got 3");
  refused({.capacity = std::uint64_t{1} << 53U, .target_false_positive_rate = 0.01},
          "target_false_positive_rate must be reachable with 2^57 bits and num_hashes of at most "
          "64, got 0.01");
  CHECK_THROWS_AS(sized_age_shape({.capacity = 10}), ConfigError);
  CHECK_THROWS_AS(sized_age_shape({.capacity = 10, .target_false_positive_rate = 1.0}),
                  ConfigError);
  CHECK_THROWS_AS(sized_age_shape({.capacity = 10, .num_blocks = 4}), ConfigError);
  CHECK_THROWS_AS(
      sized_age_shape({.capacity = 10, .num_bits = 99, .params = {{"generations", 257.0}}}),
      ConfigError);
}

}  // namespace bloometry
