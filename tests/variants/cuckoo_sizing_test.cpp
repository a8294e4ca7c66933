#include "variants/cuckoo/cuckoo_sizing.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/cuckoo/cuckoo_rates.hpp"
#include "variants/cuckoo/cuckoo_theory.hpp"

namespace bloometry {
namespace {

Geometry cuckoo_for_rate(std::uint64_t capacity, double rate, unsigned bucket_cells = 4) {
  return cuckoo_geometry({.capacity = capacity, .target_false_positive_rate = rate}, bucket_cells,
                         std::nullopt);
}

bool is_large_enough(std::uint64_t num_buckets, unsigned width, std::uint64_t capacity, double rate,
                     unsigned bucket_cells) {
  const Geometry geometry{num_buckets * bucket_cells, width, 2, bucket_cells, {}};
  return is_within_cuckoo_capacity(static_cast<double>(capacity), geometry, width) &&
         theory::cuckoo_rate(capacity, num_buckets, width) <= rate;
}

}  // namespace

TEST_CASE("cuckoo: the size for a rate has the least memory of all widths", "[variants][theory]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    for (const std::uint64_t capacity : {1ULL, 2ULL, 9ULL, 100ULL, 12'345ULL, 10'000'000ULL}) {
      for (const double rate : {0.9, 0.1, 0.013, 1e-3, 1e-6, 1e-9}) {
        CAPTURE(bucket_cells, capacity, rate);
        const Geometry best = cuckoo_for_rate(capacity, rate, bucket_cells);
        REQUIRE(is_large_enough(best.num_blocks(), best.cell_bits, capacity, rate, bucket_cells));
        // No other width has room and the rate in fewer bits.
        const unsigned least =
            cuckoo_least_fingerprint_bits(static_cast<double>(capacity), bucket_cells);
        REQUIRE(best.cell_bits >= least);
        for (unsigned width = least; width <= kMaxCuckooFingerprintBits; ++width) {
          const std::uint64_t pair_bits = 2ULL * bucket_cells * width;
          const std::uint64_t num_pairs = (best.num_bits() - 1) / pair_bits;
          if (num_pairs == 0) break;
          REQUIRE_FALSE(
              is_large_enough(2 * num_pairs, width, capacity, rate * (1 - 1e-9), bucket_cells));
        }
      }
    }
  }
}

TEST_CASE("cuckoo: a semi-sorted filter has the rate of its fingerprints in less memory",
          "[variants][theory]") {
  for (const std::uint64_t capacity : {1ULL, 100ULL, 12'345ULL, 10'000'000ULL}) {
    const auto num_keys = static_cast<double>(capacity);
    for (double rate = 0.5; rate > 1e-6; rate *= 0.93) {
      CAPTURE(capacity, rate);
      const FilterSpec spec{.capacity = capacity, .target_false_positive_rate = rate};
      const Geometry plain = cuckoo_geometry(spec, 4, std::nullopt);
      const Geometry sorted = cuckoo_geometry(spec, 4, std::nullopt, true);
      const unsigned width = cuckoo_fingerprint_bits(sorted, true);
      REQUIRE(width == sorted.cell_bits + 1);
      REQUIRE(is_large_enough(sorted.num_blocks(), width, capacity, rate, 4));
      REQUIRE(is_within_cuckoo_capacity(num_keys, sorted, width));
      REQUIRE(sorted.num_bits() + plain.num_cells <= plain.num_bits());
      // No other width has room and the rate in fewer bits.
      for (unsigned other = cuckoo_least_fingerprint_bits(num_keys, 4);
           other <= kMaxCuckooFingerprintBits; ++other) {
        const std::uint64_t num_pairs = (sorted.num_bits() - 1) / (8ULL * (other - 1));
        if (num_pairs == 0) break;
        REQUIRE_FALSE(is_large_enough(2 * num_pairs, other, capacity, rate * (1 - 1e-9), 4));
      }
      // The memory of the filter determines its fingerprints.
      const FilterSpec same{.capacity = capacity, .num_bits = sorted.num_bits()};
      CHECK(cuckoo_geometry(same, 4, std::nullopt, true).cell_bits >= sorted.cell_bits);
    }
  }
  CHECK(cuckoo_geometry({.num_blocks = 8}, 4, std::nullopt, true) == Geometry{32, 11, 2, 4, {}});
  CHECK(cuckoo_geometry({.num_bits = 960}, 4, 13U, true) == Geometry{80, 12, 2, 4, {}});
  CHECK(cuckoo_geometry({.capacity = 10, .bits_per_key = 1e6}, 4, std::nullopt, true).cell_bits ==
        55);
  CHECK(test::message_of<ConfigError>([] {
          return cuckoo_geometry({.capacity = 1000, .num_bits = 1000}, 4, std::nullopt, true);
        }) == "num_bits must be at least 5440 for cuckoo with capacity 1000, got 1000");
}

TEST_CASE("cuckoo: the theory of a semi-sorted filter is that of its fingerprints",
          "[variants][theory]") {
  using TheoryOfCuckoo = Theory<CuckooFilter>;
  const FilterSpec plain{.num_blocks = 300, .params = {{"fingerprint_bits", 9.0}}};
  FilterSpec sorted = plain;
  sorted.params.emplace("semi_sorting", 1.0);
  constexpr auto kModel = ProbeModel::kWithReplacement;
  const double rate = theory::cuckoo_rate(1000, 300, 9);
  CHECK(TheoryOfCuckoo::expected_rate(sorted, kModel, 1000) == rate);
  const Prediction expected = TheoryOfCuckoo::predict(plain, kModel, 1000);
  const Prediction prediction = TheoryOfCuckoo::predict(sorted, kModel, 1000);
  CHECK(prediction.exact == rate);
  CHECK(prediction.approximations.at(0).rate == expected.approximations.at(0).rate);
  CHECK(prediction.rate_stddev == expected.rate_stddev);
  CHECK(TheoryOfCuckoo::rate_given_counts(sorted, kModel, {.num_passing_pairs = 100}) ==
        TheoryOfCuckoo::rate_given_counts(plain, kModel, {.num_passing_pairs = 100}));
  // Fingerprints of the least width are within the capacity, although a cell has fewer bits.
  const unsigned least = cuckoo_least_fingerprint_bits(1000, 4);
  sorted.params.insert_or_assign("fingerprint_bits", double(least));
  CHECK(TheoryOfCuckoo::refused_inserts(sorted, 1000).law.has_value());
  sorted.params.insert_or_assign("fingerprint_bits", double(least - 1));
  CHECK_FALSE(TheoryOfCuckoo::refused_inserts(sorted, 1000).law.has_value());
}

TEST_CASE("cuckoo: the fingerprints fill the memory that a capacity leaves", "[variants][theory]") {
  for (const double bits_per_key : {8.0, 12.63, 20.0, 40.0}) {
    const FilterSpec spec{.capacity = 100'000, .bits_per_key = bits_per_key};
    const Geometry geometry = cuckoo_geometry(spec, 4, std::nullopt);
    CAPTURE(bits_per_key);
    const double needed = cuckoo_cells_for_keys(100'000, 4, geometry.cell_bits);
    CHECK(static_cast<double>(geometry.num_cells) >= needed);
    CHECK(needed * (geometry.cell_bits + 1) > bits_per_key * 100'000);
    CHECK(std::abs(static_cast<double>(geometry.num_bits()) - bits_per_key * 100'000) <=
          8.0 * geometry.cell_bits);
  }
  CHECK(cuckoo_geometry({.capacity = 10, .bits_per_key = 1e6}, 4, std::nullopt).cell_bits == 56);
}

TEST_CASE("cuckoo: sizes round up to an even number of buckets", "[variants][theory]") {
  for (const std::uint64_t num_blocks : {1, 2, 3, 4, 1001}) {
    const Geometry geometry = cuckoo_geometry({.num_blocks = num_blocks}, 4, std::nullopt);
    CHECK(geometry == Geometry{(num_blocks + num_blocks % 2) * 4, 12, 2, 4, {}});
  }
  CHECK(cuckoo_geometry({.num_counters = 33}, 2, 7U) == Geometry{36, 7, 2, 2, {}});
  CHECK(cuckoo_geometry({.num_bits = 960}, 4, 12U) == Geometry{80, 12, 2, 4, {}});
}

TEST_CASE("cuckoo: more keys need more cells, and never less than one per key",
          "[variants][theory]") {
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    double before = 0;
    for (double num_keys = 1; num_keys < 1e15; num_keys = std::ceil(num_keys * 1.1)) {
      const double cells = cuckoo_cells_for_keys(num_keys, bucket_cells, 30);
      CAPTURE(bucket_cells, num_keys);
      REQUIRE(cells >= num_keys);
      REQUIRE(cells >= before);
      REQUIRE(std::fmod(cells, 2 * bucket_cells) == 0);
      before = cells;
    }
    CHECK(cuckoo_cells_for_keys(2 * bucket_cells, bucket_cells, 4) == 2 * bucket_cells);
    CHECK(cuckoo_least_fingerprint_bits(1e12, bucket_cells) <= 16);
    CHECK(cuckoo_least_fingerprint_bits(1e18, bucket_cells) <= 20);
  }
  // At the least width, some sizes have more buckets, but never fewer for more keys.
  double before = 0;
  for (double num_keys = 1; num_keys < 2000; ++num_keys) {
    const double cells = cuckoo_cells_for_keys(num_keys, 4, 6);
    REQUIRE(cells >= before);
    before = cells;
  }
}

TEST_CASE("cuckoo: the expected number of overfull classes is at most 1e-6", "[variants][theory]") {
  // 2b + 1 keys of one class do not fit. The number of sets of 2b + 1 keys is counted by products.
  for (const unsigned bucket_cells : {2U, 4U, 8U}) {
    for (const double num_keys : {20.0, 1e3, 1e5, 1e7, 1e9}) {
      const unsigned width = cuckoo_least_fingerprint_bits(num_keys, bucket_cells);
      const auto num_buckets = static_cast<std::uint64_t>(
          cuckoo_cells_for_keys(num_keys, bucket_cells, 30) / bucket_cells);
      const auto expected = [&](unsigned bits) {
        double sets = num_keys;
        for (unsigned i = 1; i <= 2 * bucket_cells; ++i) {
          sets *= (num_keys - i) / (i + 1) / theory::cuckoo_num_classes(num_buckets, bits);
        }
        return sets;
      };
      CAPTURE(bucket_cells, num_keys, width);
      CHECK(expected(width) <= 1e-6 * (1 + 1e-9));
      if (width > (bucket_cells == 2 ? 10U : 6U)) CHECK(expected(width - 1) > 1e-6);
    }
  }
}

TEST_CASE("cuckoo: specs that do not give a size are errors", "[variants][theory]") {
  const auto message = [](const FilterSpec& spec, std::optional<unsigned> width = {}) {
    return test::message_of<ConfigError>([&] { return cuckoo_geometry(spec, 4, width); });
  };
  CHECK(message({.num_blocks = 8, .num_hashes = 3}) == "num_hashes must be 2, got 3");
  CHECK(message({.num_blocks = 8}, 57) == "fingerprint_bits must be in [4, 56], got 57");
  CHECK(message({.num_blocks = 8}, 3) == "fingerprint_bits must be in [4, 56], got 3");
  CHECK(message({.capacity = 0, .target_false_positive_rate = 0.1}) ==
        "capacity must be at least 1, got 0");
  CHECK(message({.capacity = 1000, .num_bits = 1000}) ==
        "num_bits must be at least 6528 for cuckoo with capacity 1000, got 1000");
  CHECK(message({.capacity = 1000, .bits_per_key = 4}) ==
        "bits_per_key must be at least 6.528 for cuckoo with capacity 1000, got 4");
  CHECK_FALSE(message({.capacity = 1000, .target_false_positive_rate = 1e-30}).empty());
  CHECK_FALSE(message({.capacity = 1ULL << 60U, .target_false_positive_rate = 0.1}).empty());
  CHECK_FALSE(message({.capacity = 10}).empty());
}

}  // namespace bloometry
