// Tests the table of other programs' formats. The sizes in the table must equal the sizes of the
// filters. Each format must have an exact rate, or a reason why the rate is absent.

#include "variants/foreign/formats/formats.hpp"

#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_theory.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {
namespace {

const ForeignFormat& format(std::string_view name) {
  const ForeignFormat* found = find_foreign_format(name);
  REQUIRE(found != nullptr);
  return *found;
}

template <class Filter>
ForeignSizes sizes_of(const Filter& filter) {
  return {filter.num_bits(), static_cast<unsigned>(filter.num_hashes())};
}

}  // namespace

TEST_CASE("formats: each format is found by its unique name", "[foreign]") {
  std::set<std::string_view> names;
  for (const ForeignFormat& format : foreign_formats()) {
    CHECK(find_foreign_format(format.name) == &format);
    CHECK_FALSE(format.program.empty());
    names.insert(format.name);
  }
  CHECK(names == std::set<std::string_view>{"guava", "go_bits_and_blooms", "jedis", "pyrebloom",
                                            "php3", "go_seeded", "redisbloom", "parquet_sbbf",
                                            "dcso"});
  CHECK(find_foreign_format("standard") == nullptr);
}

TEST_CASE("formats: sizes equal those of the filters", "[foreign]") {
  for (const double p : {0.03, 0.01, 1e-5}) {
    for (const std::uint64_t n : {1U, 10U, 3000U, 100'000U}) {
      CAPTURE(n, p);
      CHECK(format("guava").sizes_for(n, p) == sizes_of(GuavaFilter::for_capacity(n, p)));
      CHECK(format("go_bits_and_blooms").sizes_for(n, p) ==
            sizes_of(GoBitsAndBloomsFilter::for_capacity(n, p)));
      for (const char* scheme : {"jedis", "pyrebloom", "go_seeded"}) {
        CHECK(format(scheme).sizes_for(n, p) ==
              sizes_of(RedisBitmapFilter::for_capacity(redis_scheme_named(scheme), n, p)));
      }
      const RedisBloomFilter chain = RedisBloomFilter::for_capacity(n, p);
      CHECK(format("redisbloom").sizes_for(n, p) ==
            ForeignSizes{chain.num_bits(), chain.links().front().shape().num_hashes});
      CHECK(format("parquet_sbbf").sizes_for(n, p) ==
            sizes_of(ParquetSbbfFilter::for_capacity(n, p)));
      CHECK(format("dcso").sizes_for(n, p) == sizes_of(DcsoFilter::for_capacity(n, p)));
    }
  }
  // The article about the Java scheme contains these sizes.
  CHECK(format("jedis").sizes_for(3000, 0.03) == ForeignSizes{21'895, 5});
}

TEST_CASE("formats: a filter larger than any memory has sizes and a rate", "[foreign]") {
  const ForeignSizes sizes = format("go_bits_and_blooms").sizes_for(1'000'000'000'000'000, 0.01);
  CHECK(sizes.num_bits > std::uint64_t{8} << 50U);
  const Prediction prediction = format("go_bits_and_blooms").predict(sizes, 1'000'000'000'000'000);
  CHECK(std::abs(*prediction.approximations.at(0).rate / 0.01 - 1) < 0.01);
}

TEST_CASE("formats: if a size limit breaks the target rate the resulting rate is given",
          "[foreign]") {
  CHECK(rate_of_limited_size(format("jedis"), 800'000'000, 0.01).value() ==
        Approx(0.2759).epsilon(1e-3));
  CHECK(rate_of_limited_size(format("parquet_sbbf"), 1'000'000'000, 0.01).value() ==
        Approx(0.9954).epsilon(1e-3));
  for (const ForeignFormat& format : foreign_formats()) {
    if (format.name == "php3") continue;  // php3 does not compute a size from n and p
    CAPTURE(format.name);
    CHECK_FALSE(rate_of_limited_size(format, 1000, 0.01));
    CHECK_FALSE(rate_of_limited_size(format, 1, 1e-9));
  }
  // The program of jedis needs all of its 2^31 - 1 bits from this number of keys on.
  const double bits_per_key = -std::log(0.01) / (std::log(2.0) * std::log(2.0));
  const auto most_keys = static_cast<std::uint64_t>(2147483647.0 / bits_per_key);
  CHECK_FALSE(rate_of_limited_size(format("jedis"), most_keys, 0.01));
  CHECK(rate_of_limited_size(format("jedis"), most_keys + most_keys / 100, 0.01) > 0.01);
}

TEST_CASE("formats: each format has an exact rate or a reason, and the classic rate", "[foreign]") {
  const std::set<std::string_view> exact = {"pyrebloom", "go_seeded"};
  for (const ForeignFormat& format : foreign_formats()) {
    CAPTURE(format.name);
    const ForeignSizes sizes = format.checked({8192, format.fixed_num_hashes.value_or(5)});
    const Prediction prediction = format.predict(sizes, 1000);
    CHECK(prediction.exact.has_value() == exact.contains(format.name));
    CHECK(prediction.expected.has_value() == (format.name != "php3"));
    if (!format.why_no_exact_rate.empty() && prediction.expected) {
      CHECK(prediction.expected->kind == RateKind::kModel);
      CHECK(prediction.expected->rate > 0.99 * *prediction.approximations.at(0).rate);
      CHECK(prediction.expected->why_not_exact.starts_with(format.why_no_exact_rate));
    }
    CHECK(prediction.approximations.at(0).name == "classic");
    CHECK(prediction.approximations.at(0).rate > 0);
  }
  const Prediction parquet = format("parquet_sbbf").predict({8192, 8}, 1000);
  CHECK(parquet.expected->rate == predict_parquet_sbbf(32, 1000).expected->rate);
  CHECK(parquet.expected->kind == RateKind::kModel);
}

TEST_CASE("formats: sizes that are impossible in a format are refused", "[foreign]") {
  CHECK_THROWS_WITH(format("guava").checked({100, 5}),
                    "num_bits must be a multiple of 64 in [64, 137438953408], got 100");
  CHECK_THROWS_WITH(format("guava").checked({128, 256}), "num_hashes must be in [1, 255], got 256");
  CHECK_THROWS_WITH(format("redisbloom").checked({100, 5}),
                    "num_bits must be a positive multiple of 64, got 100");
  CHECK_THROWS_WITH(format("parquet_sbbf").checked({100, 8}),
                    "num_bits must be a multiple of 256 in [256, 17179868928], got 100");
  CHECK_THROWS_WITH(format("parquet_sbbf").checked({256, 7}), "num_hashes must be 8, got 7");
  CHECK_THROWS_AS(format("dcso").checked({0, 5}), ConfigError);
  for (const ForeignFormat& format : foreign_formats()) {
    CAPTURE(format.name);
    CHECK_THROWS_AS(format.checked({0, format.fixed_num_hashes.value_or(5)}), ConfigError);
    CHECK_THROWS_AS(format.checked({8192, 0}), ConfigError);
    CHECK_THROWS_AS(format.sizes_for(1000, 0.0), ConfigError);
    CHECK_THROWS_AS(format.sizes_for(1000, 1.0), ConfigError);
  }
}

}  // namespace bloometry
