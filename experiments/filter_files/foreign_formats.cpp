#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/any_filter/any_filter.hpp"
#include "core/error.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/text.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/foreign/redis_bitmap/go_bitset.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_string.hpp"
#include "variants/split_block/split_block_filter.hpp"

namespace bloometry {
namespace {

using Format = ForeignFileFormat;
using File = std::unique_ptr<FileFilter>;

constexpr std::string_view kGoJson = "go_bits_and_blooms_json";

// Sizes of new filters.

/// Returns the number of keys in `sizes`, which must be present, and the rate (default 0.01).
/// @throws ConfigError naming a superfluous size.
std::pair<std::uint64_t, double> required_target(std::string_view format,
                                                 const SizeRequest& sizes) {
  if (sizes.num_bits || sizes.num_hashes) {
    throw ConfigError(sizes.num_bits ? "num_bits" : "num_hashes",
                      fmt::format("must be left out: {} computes m and k from -n and -p", format));
  }
  return {*sizes.num_keys, sizes.rate.value_or(0.01)};
}

unsigned required_num_hashes(std::string_view format, const SizeRequest& sizes) {
  if (sizes.num_hashes) return *sizes.num_hashes;
  throw ConfigError("num_hashes",
                    fmt::format("must be given with -m: the number of hashes of {}", format));
}

/// Makes a filter of a program that computes m and k.
template <class F>
File make_for_capacity(const Format& format, const SizeRequest& sizes) {
  const auto [num_keys, rate] = required_target(format.name, sizes);
  return foreign(format, F::for_capacity(num_keys, rate));
}

/// Makes a filter of a program whose users can set m and k.
template <class F>
File make_of_sizes(const Format& format, const SizeRequest& sizes) {
  if (!sizes.num_bits) return make_for_capacity<F>(format, sizes);
  return foreign(format, F(*sizes.num_bits, required_num_hashes(format.name, sizes)));
}

File make_bitmap(const Format& format, const SizeRequest& sizes) {
  const RedisScheme scheme = redis_scheme_named(format.name);
  return foreign(format, RedisBitmapFilter(scheme, redis_bitmap_sizes(scheme, sizes)));
}

File make_parquet(const Format& format, const SizeRequest& sizes) {
  if (!sizes.num_bits) return make_for_capacity<ParquetSbbfFilter>(format, sizes);
  constexpr std::uint64_t kBlockBits = 8 * ParquetSbbfFilter::kBlockBytes;
  constexpr unsigned kHashes = ParquetSbbfFilter::num_hashes();
  if (sizes.num_hashes.value_or(kHashes) != kHashes) {
    throw ConfigError("num_hashes", fmt::format("must be {} for parquet_sbbf, got {}", kHashes,
                                                *sizes.num_hashes));
  }
  if (*sizes.num_bits % kBlockBits != 0) {
    throw ConfigError("num_bits", fmt::format("must be a multiple of 256 for parquet_sbbf, got {}",
                                              *sizes.num_bits));
  }
  return foreign(format, ParquetSbbfFilter(*sizes.num_bits / kBlockBits));
}

// Filters in files.

/// Parses a file that contains m and k.
template <class F, F (*parse)(std::string_view) = F::parse>
File parse_file(const Format& format, std::string_view bytes, const SizeRequest& sizes) {
  if (sizes.num_bits || sizes.num_hashes) {
    throw ConfigError(
        sizes.num_bits ? "num_bits" : "num_hashes",
        fmt::format("must be left out: a file of {} contains this value", format.name));
  }
  return foreign(format, parse(bytes));
}

/// Returns m and k of a bitmap, which its file does not contain. @throws ConfigError naming those
/// that are not given.
RedisSizes required_sizes(const Format& format, const SizeRequest& sizes) {
  const bool is_php = redis_scheme_named(format.name) == RedisScheme::kPhp3;
  ProblemCollector problems;
  const auto require = [&](const char* field, const char* meaning, bool is_given) {
    problems.collect([&] {
      if (is_given) return;
      throw ConfigError(
          field,
          fmt::format("must be given: the number of {}, which a bitmap of {} does not contain",
                      meaning, format.name));
    });
  };
  require("num_bits", "bits", sizes.num_bits.has_value());
  require("num_hashes", "hashes", sizes.num_hashes.has_value() || is_php);
  problems.throw_if_any();
  return {*sizes.num_bits, sizes.num_hashes.value_or(3)};
}

File parse_bitmap(const Format& format, std::string_view bytes, const SizeRequest& sizes) {
  const RedisSizes required = required_sizes(format, sizes);
  return foreign(format,
                 RedisBitmapFilter::parse(bytes, redis_scheme_named(format.name), required));
}

/// Parses a filter of go_seeded in a bitmap of Redis or in a bit set of Go. A bitmap of m bits is
/// always shorter than the bit set.
File parse_go_seeded(const Format& format, std::string_view bytes, const SizeRequest& given) {
  const RedisSizes sizes = required_sizes(format, given);
  const std::optional<std::uint64_t> length = go_bitset_length(bytes);
  const bool is_bitmap = bytes.size() <= (sizes.num_bits + 7) / 8;
  if (is_bitmap || !length) {
    return foreign(format, RedisBitmapFilter::parse(bytes, RedisScheme::kGoSeeded, sizes));
  }
  if (*length != sizes.num_bits) {
    throw ConfigError("num_bits",
                      fmt::format("must be {}, the length of the bit set in the file, got {}",
                                  *length, sizes.num_bits));
  }
  return foreign(format, RedisBitmapFilter::parse_go_bitset(bytes, sizes));
}

// Conversions.

/// Returns the same bits under the name of the bitmap scheme jedis.
File convert_guava(const FileFilter& file, std::string_view to) {
  const GuavaFilter& filter = *ForeignFilter<GuavaFilter>::in(file);
  const bool is_mitz64 = filter.strategy() == GuavaStrategy::kMurmur128Mitz64;
  const char* const from = is_mitz64 ? "guava" : "guava with strategy MITZ_32";
  if (to != "jedis") refuse_conversion(from, to, is_mitz64 ? ", only to jedis" : "");
  if (!is_mitz64) refuse_conversion(from, to, ", which requires strategy MITZ_64");
  const RedisSizes sizes{filter.num_bits(), filter.num_hashes()};
  checked_redis_sizes(RedisScheme::kJedis, sizes);
  const std::string string = redis_string(filter.bits(), 0, filter.num_bits());
  return foreign_filter_of(RedisBitmapFilter::parse(string, RedisScheme::kJedis, sizes));
}

File convert_go(const FileFilter& file, std::string_view to) {
  if (to != GoBitsAndBloomsFilter::kName && to != kGoJson) {
    refuse_conversion(file.description().format, to,
                      ", only to go_bits_and_blooms or go_bits_and_blooms_json");
  }
  return foreign(foreign_file_format("to", to), *ForeignFilter<GoBitsAndBloomsFilter>::in(file));
}

File convert_parquet(const FileFilter& file, std::string_view to) {
  if (to != BloometryFilter::kFormat) {
    refuse_conversion(ParquetSbbfFilter::kName, to, ", only to bloometry");
  }
  return std::make_unique<BloometryFilter>(
      AnyFilter(split_block_of(*ForeignFilter<ParquetSbbfFilter>::in(file))),
      FilterHash(Xxh64Hasher::kName, 0, std::nullopt), FileHeader{});
}

constexpr auto kFormats = std::to_array<Format>({
    {GuavaFilter::kName, "murmur3_128", make_of_sizes<GuavaFilter>, parse_file<GuavaFilter>,
     convert_guava},
    {GoBitsAndBloomsFilter::kName, "murmur3_128", make_of_sizes<GoBitsAndBloomsFilter>,
     parse_file<GoBitsAndBloomsFilter>, convert_go},
    {kGoJson, "murmur3_128", make_of_sizes<GoBitsAndBloomsFilter>,
     parse_file<GoBitsAndBloomsFilter, GoBitsAndBloomsFilter::parse_json>, convert_go, true},
    {RedisBloomFilter::kName, "murmur64a", make_for_capacity<RedisBloomFilter>,
     parse_file<RedisBloomFilter>},
    {"jedis", "murmur3_128", make_bitmap, parse_bitmap},
    {"pyrebloom", "murmur64a", make_bitmap, parse_bitmap},
    {"php3", "bkdr, js, sdbm", make_bitmap, parse_bitmap},
    {"go_seeded", "murmur3_128", make_bitmap, parse_go_seeded},
    {ParquetSbbfFilter::kName, "xxh64", make_parquet, parse_file<ParquetSbbfFilter>,
     convert_parquet},
    {DcsoFilter::kName, "fnv1", make_for_capacity<DcsoFilter>, parse_file<DcsoFilter>},
});

constexpr auto kNames = [] {
  std::array<std::string_view, kFormats.size()> names;
  std::transform(kFormats.begin(), kFormats.end(), names.begin(),
                 [](const Format& format) { return format.name; });
  return names;
}();

}  // namespace

std::span<const std::string_view> foreign_file_formats() noexcept {
  return kNames;
}

const ForeignFileFormat& foreign_file_format(const char* field, std::string_view name) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const Format& format) { return format.name == name; });
  if (found != kFormats.end()) return *found;
  throw ConfigError(field,
                    fmt::format("must be one of bloometry, {}, got '{}'", joined(kNames), name));
}

RedisSizes redis_bitmap_sizes(RedisScheme scheme, const SizeRequest& request) {
  const SizeRequest sizes = in_bits(request);
  const std::string_view format = name_of(scheme);
  const bool is_php = scheme == RedisScheme::kPhp3;
  if (sizes.num_bits) {
    return {*sizes.num_bits,
            is_php ? sizes.num_hashes.value_or(3) : required_num_hashes(format, sizes)};
  }
  if (is_php) {
    throw ConfigError("num_bits",
                      "must be given: a multiple of 8192 bits like 128KiB, because php3 does not "
                      "compute it from n and p");
  }
  const auto [num_keys, rate] = required_target(format, sizes);
  return redis_sizes_for(scheme, num_keys, rate);
}

}  // namespace bloometry
