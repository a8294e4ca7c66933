#include "variants/foreign/formats/formats.hpp"

#include <array>
#include <string>

#include "core/error.hpp"
#include "core/rates/sizing.hpp"
#include "core/theory/coincidences.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_theory.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_theory.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {
namespace {

using theory::FewWordScheme;

/// Returns the prediction for a scheme with few words per key: the rate by its coincidences, and
/// the classic formula.
Prediction few_word_prediction(FewWordScheme scheme, std::string_view scheme_text,
                               const ForeignSizes& sizes, std::uint64_t num_keys) {
  Prediction prediction;
  prediction.expected = theory::as_expected_rate(
      theory::coincidence_rate(scheme, num_keys, sizes.num_bits, sizes.num_hashes), scheme_text);
  prediction.approximations = {
      {"classic", theory::classic_rate(num_keys, sizes.num_bits, sizes.num_hashes)}};
  return prediction;
}

Prediction guava_prediction(const ForeignSizes& sizes, std::uint64_t num_keys) {
  return few_word_prediction(FewWordScheme::kModulo63, GuavaFilter::why_no_exact_rate(), sizes,
                             num_keys);
}

Prediction go_prediction(const ForeignSizes& sizes, std::uint64_t num_keys) {
  return few_word_prediction(FewWordScheme::kFourWords, GoBitsAndBloomsFilter::why_no_exact_rate(),
                             sizes, num_keys);
}

Prediction redisbloom_prediction(const ForeignSizes& sizes, std::uint64_t num_keys) {
  return few_word_prediction(FewWordScheme::kModulo64, RedisBloomFilter::why_no_exact_rate(), sizes,
                             num_keys);
}

Prediction dcso_prediction(const ForeignSizes& sizes, std::uint64_t num_keys) {
  return few_word_prediction(FewWordScheme::kFactor, DcsoFilter::why_no_exact_rate(), sizes,
                             num_keys);
}

/// Checks the sizes of Guava or bits-and-blooms and returns them.
template <class Filter>
ForeignSizes checked_sizes(const ForeignSizes& sizes) {
  Filter::checked({sizes.num_bits, sizes.num_hashes});
  return sizes;
}

template <class Filter>
ForeignSizes sizes_for(std::uint64_t capacity, double rate) {
  const auto sizes = Filter::sizes_for(capacity, rate);
  return {sizes.num_bits, sizes.num_hashes};
}

RedisSizes redis_sizes(const ForeignSizes& sizes) {
  return {sizes.num_bits, sizes.num_hashes};
}

template <RedisScheme kScheme>
ForeignFormat redis_format(std::string_view program) {
  return {
      .name = name_of(kScheme),
      .program = program,
      .size_note = {},
      .fixed_num_hashes = kScheme == RedisScheme::kPhp3 ? std::optional(3U) : std::nullopt,
      .why_no_exact_rate = RedisBitmapFilter::why_no_exact_rate(kScheme),
      .max_num_bits = kScheme == RedisScheme::kJedis ? std::optional(kMaxJedisBits) : std::nullopt,
      .exact_for = kScheme == RedisScheme::kGoSeeded
                       ? "keys of more than 8 bytes, or an odd number of bits"
                       : "",
      .sizes_for =
          [](std::uint64_t capacity, double rate) {
            const RedisSizes sizes =
                checked_redis_sizes(kScheme, redis_sizes_for(kScheme, capacity, rate));
            return ForeignSizes{sizes.num_bits, sizes.num_hashes};
          },
      .checked =
          [](const ForeignSizes& sizes) {
            checked_redis_sizes(kScheme, redis_sizes(sizes));
            return sizes;
          },
      .predict =
          [](const ForeignSizes& sizes, std::uint64_t num_keys) {
            return redis_bitmap_prediction(kScheme, redis_sizes(sizes), num_keys);
          }};
}

ForeignSizes redisbloom_sizes_for(std::uint64_t capacity, double rate) {
  const RedisBloomShape link = RedisBloomFilter::first_link_for(capacity, rate);
  return {link.num_bits, link.num_hashes};
}

ForeignSizes checked_redisbloom_sizes(const ForeignSizes& sizes) {
  if (sizes.num_bits == 0 || sizes.num_bits % 64 != 0) {
    throw ConfigError("num_bits",
                      "must be a positive multiple of 64, got " + std::to_string(sizes.num_bits));
  }
  // For the smallest positive double p, log2(1/p) is 1074, and rounding errors can add 1.
  checked_num_hashes(sizes.num_hashes, 1, 1075);
  return sizes;
}

constexpr std::uint64_t kParquetBlockBits = 8 * ParquetSbbfFilter::kBlockBytes;

ForeignSizes parquet_sizes_for(std::uint64_t capacity, double rate) {
  return {kParquetBlockBits * ParquetSbbfFilter::num_blocks_for(capacity, rate),
          ParquetSbbfFilter::num_hashes()};
}

ForeignSizes checked_parquet_sizes(const ForeignSizes& sizes) {
  const std::uint64_t num_blocks = sizes.num_bits / kParquetBlockBits;
  if (sizes.num_bits % kParquetBlockBits != 0 || num_blocks == 0 ||
      num_blocks > ParquetSbbfFilter::kMaxBlocks) {
    throw ConfigError("num_bits", "must be a multiple of 256 in [256, " +
                                      std::to_string(256 * ParquetSbbfFilter::kMaxBlocks) +
                                      "], got " + std::to_string(sizes.num_bits));
  }
  checked_num_hashes(sizes.num_hashes, ParquetSbbfFilter::num_hashes(),
                     ParquetSbbfFilter::num_hashes());
  return sizes;
}

Prediction parquet_prediction(const ForeignSizes& sizes, std::uint64_t num_keys) {
  return predict_parquet_sbbf(sizes.num_bits / kParquetBlockBits, num_keys);
}

ForeignSizes dcso_sizes_for(std::uint64_t capacity, double rate) {
  const DcsoFilter::Parameters parameters = DcsoFilter::parameters_for(capacity, rate);
  return {parameters.num_bits, static_cast<unsigned>(parameters.num_hashes)};
}

ForeignSizes checked_dcso_sizes(const ForeignSizes& sizes) {
  // The parameters n and p are fields of the file, but the rate does not depend on n and p.
  DcsoFilter::checked({.capacity = 1,
                       .false_positive_rate = 0.5,
                       .num_hashes = sizes.num_hashes,
                       .num_bits = sizes.num_bits});
  return sizes;
}

}  // namespace

std::span<const ForeignFormat> foreign_formats() {
  static const std::array formats = {
      ForeignFormat{.name = GuavaFilter::kName,
                    .program = "Guava's BloomFilter, Java",
                    .size_note = "k is computed as in Guava 31.1",
                    .fixed_num_hashes = {},
                    .why_no_exact_rate = GuavaFilter::why_no_exact_rate(),
                    .max_num_bits = {},
                    .exact_for = {},
                    .sizes_for = sizes_for<GuavaFilter>,
                    .checked = checked_sizes<GuavaFilter>,
                    .predict = guava_prediction},
      ForeignFormat{.name = GoBitsAndBloomsFilter::kName,
                    .program = "bits-and-blooms/bloom, Go",
                    .size_note = {},
                    .fixed_num_hashes = {},
                    .why_no_exact_rate = GoBitsAndBloomsFilter::why_no_exact_rate(),
                    .max_num_bits = {},
                    .exact_for = {},
                    .sizes_for = sizes_for<GoBitsAndBloomsFilter>,
                    .checked = checked_sizes<GoBitsAndBloomsFilter>,
                    .predict = go_prediction},
      redis_format<RedisScheme::kJedis>("a bitmap in Redis, Java with Jedis"),
      redis_format<RedisScheme::kPyrebloom>("a bitmap in Redis, pyreBloom"),
      redis_format<RedisScheme::kPhp3>("a bitmap in Redis, PHP with three hashes"),
      redis_format<RedisScheme::kGoSeeded>("a bitmap in Redis, Go with seeds"),
      ForeignFormat{
          .name = RedisBloomFilter::kName,
          .program = "the Redis module RedisBloom",
          .size_note =
              "the first link of the chain, which is sized for p/2 unless the filter is NONSCALING",
          .fixed_num_hashes = {},
          .why_no_exact_rate = RedisBloomFilter::why_no_exact_rate(),
          .max_num_bits = {},
          .exact_for = {},
          .grows = true,
          .sizes_for = redisbloom_sizes_for,
          .checked = checked_redisbloom_sizes,
          .predict = redisbloom_prediction},
      ForeignFormat{.name = ParquetSbbfFilter::kName,
                    .program = "Apache Parquet's split blocks, sized as by Arrow C++",
                    .size_note = "the number of bytes is a power of two, at most 128 MiB",
                    .fixed_num_hashes = ParquetSbbfFilter::num_hashes(),
                    .why_no_exact_rate = {},
                    .max_num_bits = kParquetBlockBits * ParquetSbbfFilter::kMaxSizedBlocks,
                    .exact_for = {},
                    .sizes_for = parquet_sizes_for,
                    .checked = checked_parquet_sizes,
                    .predict = parquet_prediction},
      ForeignFormat{.name = DcsoFilter::kName,
                    .program = "DCSO/bloom, Go, version 1 of its file",
                    .size_note = {},
                    .fixed_num_hashes = {},
                    .why_no_exact_rate = DcsoFilter::why_no_exact_rate(),
                    .max_num_bits = {},
                    .exact_for = {},
                    .sizes_for = dcso_sizes_for,
                    .checked = checked_dcso_sizes,
                    .predict = dcso_prediction}};
  return formats;
}

std::optional<double> rate_of_limited_size(const ForeignFormat& format, std::uint64_t capacity,
                                           double target_false_positive_rate) {
  const ForeignSizes sizes = format.sizes_for(capacity, target_false_positive_rate);
  if (!format.max_num_bits || sizes.num_bits < *format.max_num_bits) return std::nullopt;
  const Prediction prediction = format.predict(sizes, capacity);
  const double rate = prediction.expected ? prediction.expected->rate
                                          : prediction.approximations.front().rate.value_or(1);
  return rate > target_false_positive_rate ? std::optional(rate) : std::nullopt;
}

const ForeignFormat* find_foreign_format(std::string_view name) {
  for (const ForeignFormat& format : foreign_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace bloometry
