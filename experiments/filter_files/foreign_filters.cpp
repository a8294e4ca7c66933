#include "experiments/filter_files/foreign_filters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/text.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_facts.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/foreign/redis_bitmap/go_bitset.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_string.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"
#include "variants/split_block/split_block_filter.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kGoJson = "go_bits_and_blooms_json";

constexpr std::array<std::string_view, 10> kFormats = {GuavaFilter::kName,
                                                       GoBitsAndBloomsFilter::kName,
                                                       kGoJson,
                                                       RedisBloomFilter::kName,
                                                       "jedis",
                                                       "pyrebloom",
                                                       "php3",
                                                       "go_seeded",
                                                       ParquetSbbfFilter::kName,
                                                       DcsoFilter::kName};

std::string_view text_of(KeyView key) {
  return {key.data(), key.size()};
}

// The following functions accept a filter of any class in kFormats.

std::string bytes_of(const auto& filter, std::string_view format) {
  if constexpr (requires { filter.serialize_json(); }) {
    if (format == kGoJson) return filter.serialize_json();
  }
  return filter.serialize();
}

bool insert_key(auto& filter, std::string_view key) {
  return filter.insert(key);
}

bool insert_key(RedisBloomFilter& filter, std::string_view key) {
  const RedisBloomReply reply = filter.insert(key);
  if (reply != RedisBloomReply::kFull) return reply == RedisBloomReply::kAdded;
  throw ConfigError("the filter of redisbloom is full: it does not scale, and its capacity is " +
                    grouped(filter.links().front().shape().capacity) + " keys");
}

std::string hash_of(std::string_view format) {
  if (format == ParquetSbbfFilter::kName) return "xxh64";
  if (format == DcsoFilter::kName) return "fnv1";
  if (format == RedisBloomFilter::kName || format == "pyrebloom") return "murmur64a";
  if (format == "php3") return "bkdr, js, sdbm";
  return "murmur3_128";
}

/// An adapter from the filter class of another program's format to FileFilter.
template <class F>
class ForeignFilter final : public FileFilter {
 public:
  ForeignFilter(std::string_view format, F filter) : format_(format), filter_(std::move(filter)) {}

  std::uint64_t insert(std::span<const KeyView> keys) override {
    std::uint64_t num_new = 0;
    for (const KeyView key : keys) num_new += insert_key(filter_, text_of(key)) ? 1 : 0;
    return num_new;
  }

  void contains(std::span<const KeyView> keys, std::span<bool> answers) const override {
    for (std::size_t i = 0; i < keys.size(); ++i) answers[i] = filter_.contains(text_of(keys[i]));
  }

  [[nodiscard]] FileNotes notes() const override { return description().notes; }

  // Formats of other programs do not store notes; notes() computes the notes from the filter.
  void set_notes(const FileNotes& /*notes*/) override {}

  [[nodiscard]] FilterFacts description(
      std::optional<std::uint64_t> num_inserted = std::nullopt) const override {
    FilterFacts facts{.format = std::string(format_), .hash = hash_of(format_)};
    facts.notes.num_inserted = num_inserted;
    describe(filter_, facts);
    add_num_keys(facts);
    return facts;
  }

  void merge(const FileFilter& /*other*/) override { refuse("merged"); }

  void intersect(const FileFilter& /*other*/) override { refuse("intersected"); }

  [[nodiscard]] std::uint64_t foldable_size() const override {
    if constexpr (requires { filter_.links(); }) {
      std::uint64_t size = 0;
      for (const RedisBloomLink& link : filter_.links())
        size = std::gcd(size, link.shape().num_bits);
      return size;
    } else if constexpr (requires { filter_.fold(1); }) {
      return filter_.num_blocks();
    } else {
      refuse("folded");
    }
  }

  [[nodiscard]] std::unique_ptr<FileFilter> fold(std::uint64_t divisor) const override {
    if constexpr (requires { filter_.fold(divisor); }) {
      return std::make_unique<ForeignFilter>(format_, filter_.fold(divisor));
    }
    refuse("folded");
  }

  [[nodiscard]] std::vector<std::span<const std::uint64_t>> cells() const override {
    if constexpr (requires { filter_.links(); }) {
      std::vector<std::span<const std::uint64_t>> cells;
      for (const RedisBloomLink& link : filter_.links()) cells.push_back(link.bits().words());
      return cells;
    } else {
      return {filter_.bits().words()};
    }
  }

  [[nodiscard]] std::unique_ptr<FileFilter> converted(std::string_view format) const override;

  /// Returns the filter in `file` if its class is F, otherwise null.
  static const F* in(const FileFilter& file) noexcept {
    const auto* const found = dynamic_cast<const ForeignFilter*>(&file);
    return found == nullptr ? nullptr : &found->filter_;
  }

  void write(const std::filesystem::path& path) const override {
    const std::string bytes = bytes_of(filter_, format_);
    const std::array<std::string_view, 1> parts = {bytes};
    replace_file(path, parts);
  }

 private:
  void add_rates(FilterFacts& facts) const override { bloometry::add_rates(filter_, facts); }

  [[noreturn]] void refuse(const char* what) const {
    throw ConfigError("files of " + std::string(format_) + " cannot be " + what);
  }

  std::string_view format_;
  F filter_;
};

template <class F>
std::unique_ptr<FileFilter> foreign(std::string_view format, F filter) {
  return std::make_unique<ForeignFilter<F>>(format, std::move(filter));
}

/// Returns the same bits under the name of the bitmap scheme jedis.
std::unique_ptr<FileFilter> jedis_of(const GuavaFilter& filter) {
  if (filter.strategy() != GuavaStrategy::kMurmur128Mitz64) {
    refuse_conversion("guava with strategy MITZ_32", "jedis", ", which requires strategy MITZ_64");
  }
  const RedisSizes sizes{filter.num_bits(), filter.num_hashes()};
  checked_redis_sizes(RedisScheme::kJedis, sizes);
  const std::string string = redis_string(filter.bits(), 0, filter.num_bits());
  return foreign("jedis", RedisBitmapFilter::parse(string, RedisScheme::kJedis, sizes));
}

std::unique_ptr<FileFilter> bloometry_of(const ParquetSbbfFilter& filter) {
  return std::make_unique<BloometryFilter>(AnyFilter(split_block_of(filter)),
                                           FilterHash(Xxh64Hasher::kName, 0, std::nullopt),
                                           FileHeader{});
}

template <class F>
std::unique_ptr<FileFilter> ForeignFilter<F>::converted(std::string_view format) const {
  if constexpr (std::same_as<F, GoBitsAndBloomsFilter>) {
    if (format == GoBitsAndBloomsFilter::kName || format == kGoJson) {
      return foreign(*std::find(kFormats.begin(), kFormats.end(), format), filter_);
    }
    refuse_conversion(format_, format, ", only to go_bits_and_blooms or go_bits_and_blooms_json");
  } else if constexpr (std::same_as<F, GuavaFilter>) {
    if (format == "jedis") return jedis_of(filter_);
    const bool is_mitz64 = filter_.strategy() == GuavaStrategy::kMurmur128Mitz64;
    refuse_conversion(is_mitz64 ? "guava" : "guava with strategy MITZ_32", format,
                      is_mitz64 ? ", only to jedis" : "");
  } else if constexpr (std::same_as<F, ParquetSbbfFilter>) {
    if (format == BloometryFilter::kFormat) return bloometry_of(filter_);
    refuse_conversion(format_, format, ", only to bloometry");
  } else {
    refuse_conversion(format_, format);
  }
}

/// Returns a filter of go_seeded in a bitmap of Redis or in a bit set of Go. A bitmap of m bits is
/// always shorter than the bit set.
std::unique_ptr<FileFilter> go_seeded_of(std::string_view bytes, const RedisSizes& sizes) {
  const std::string_view format = name_of(RedisScheme::kGoSeeded);
  const std::optional<std::uint64_t> length = go_bitset_length(bytes);
  const bool is_bitmap = bytes.size() <= (sizes.num_bits + 7) / 8;
  if (is_bitmap || !length) {
    return foreign(format, RedisBitmapFilter::parse(bytes, RedisScheme::kGoSeeded, sizes));
  }
  if (*length != sizes.num_bits) {
    throw ConfigError("num_bits", "must be " + std::to_string(*length) +
                                      ", the length of the bit set in the file, got " +
                                      std::to_string(sizes.num_bits));
  }
  return foreign(format, RedisBitmapFilter::parse_go_bitset(bytes, sizes));
}

bool is_redis_scheme(std::string_view format) {
  return std::any_of(kRedisSchemes.begin(), kRedisSchemes.end(),
                     [&](RedisScheme scheme) { return name_of(scheme) == format; });
}

/// Returns the name of the format from the table kFormats, so that the string has static storage
/// duration.
std::string_view checked_format(const char* field, std::string_view format) {
  const auto* const found = std::find(kFormats.begin(), kFormats.end(), format);
  if (found != kFormats.end()) return *found;
  throw ConfigError(field, "must be one of bloometry, " + joined(kFormats) + ", got '" +
                               std::string(format) + "'");
}

/// Returns the number of keys in `sizes`, which must be present, and the rate (default 0.01).
/// @throws ConfigError naming a superfluous size.
std::pair<std::uint64_t, double> required_target(std::string_view format, const GivenSizes& sizes) {
  if (sizes.num_bits || sizes.num_hashes) {
    throw ConfigError(
        sizes.num_bits ? "num_bits" : "num_hashes",
        "must be left out: " + std::string(format) + " computes m and k from -n and -p");
  }
  return {*sizes.num_keys, sizes.rate.value_or(0.01)};
}

unsigned required_num_hashes(std::string_view format, const GivenSizes& sizes) {
  if (sizes.num_hashes) return *sizes.num_hashes;
  throw ConfigError("num_hashes",
                    "must be given with -m: the number of hashes of " + std::string(format));
}

std::unique_ptr<FileFilter> make_parquet(const GivenSizes& sizes) {
  if (sizes.num_bits) {
    constexpr std::uint64_t kBlockBits = 8 * ParquetSbbfFilter::kBlockBytes;
    constexpr unsigned kHashes = ParquetSbbfFilter::num_hashes();
    if (sizes.num_hashes.value_or(kHashes) != kHashes) {
      throw ConfigError("num_hashes", "must be " + std::to_string(kHashes) +
                                          " for parquet_sbbf, got " +
                                          std::to_string(*sizes.num_hashes));
    }
    if (*sizes.num_bits % kBlockBits != 0) {
      throw ConfigError("num_bits", "must be a multiple of 256 for parquet_sbbf, got " +
                                        std::to_string(*sizes.num_bits));
    }
    return foreign(ParquetSbbfFilter::kName, ParquetSbbfFilter(*sizes.num_bits / kBlockBits));
  }
  const auto [num_keys, rate] = required_target(ParquetSbbfFilter::kName, sizes);
  return foreign(ParquetSbbfFilter::kName, ParquetSbbfFilter::for_capacity(num_keys, rate));
}

}  // namespace

void refuse_conversion(std::string_view from, std::string_view to, std::string_view why) {
  throw ConfigError("files of " + std::string(from) + " cannot be converted to " + std::string(to) +
                    std::string(why) +
                    ". Build the filter from its keys: `bloometry filter build KEYS --to " +
                    std::string(to) + " -o FILE`");
}

std::span<const std::string_view> foreign_file_formats() noexcept {
  return kFormats;
}

RedisSizes redis_bitmap_sizes(RedisScheme scheme, const GivenSizes& sizes) {
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

std::unique_ptr<FileFilter> make_foreign_filter(std::string_view name, const GivenSizes& sizes) {
  const std::string_view format = checked_format("to", name);
  if (is_redis_scheme(format)) {
    const RedisScheme scheme = redis_scheme_named(format);
    return foreign(format, RedisBitmapFilter(scheme, redis_bitmap_sizes(scheme, sizes)));
  }
  if (format == ParquetSbbfFilter::kName) return make_parquet(sizes);
  const bool is_go = format == GoBitsAndBloomsFilter::kName || format == kGoJson;
  if (sizes.num_bits && (is_go || format == GuavaFilter::kName)) {
    const unsigned num_hashes = required_num_hashes(format, sizes);
    if (is_go) return foreign(format, GoBitsAndBloomsFilter(*sizes.num_bits, num_hashes));
    return foreign(format, GuavaFilter(*sizes.num_bits, num_hashes));
  }
  const auto [num_keys, rate] = required_target(format, sizes);
  if (is_go) return foreign(format, GoBitsAndBloomsFilter::for_capacity(num_keys, rate));
  if (format == GuavaFilter::kName) {
    return foreign(format, GuavaFilter::for_capacity(num_keys, rate));
  }
  if (format == DcsoFilter::kName) return foreign(format, DcsoFilter::for_capacity(num_keys, rate));
  return foreign(format, RedisBloomFilter::for_capacity(num_keys, rate));
}

std::unique_ptr<FileFilter> parse_foreign_filter(std::string_view name, std::string_view bytes,
                                                 const GivenSizes& sizes) {
  const std::string_view format = checked_format("from", name);
  if (is_redis_scheme(format)) {
    const RedisScheme scheme = redis_scheme_named(format);
    const bool is_php = scheme == RedisScheme::kPhp3;
    ProblemCollector problems;
    const auto require = [&](const char* field, const char* meaning, bool is_given) {
      problems.collect([&] {
        if (is_given) return;
        throw ConfigError(field, "must be given: the number of " + std::string(meaning) +
                                     ", which a bitmap of " + std::string(format) +
                                     " does not contain");
      });
    };
    require("num_bits", "bits", sizes.num_bits.has_value());
    require("num_hashes", "hashes", sizes.num_hashes.has_value() || is_php);
    problems.throw_if_any();
    const RedisSizes redis_sizes{*sizes.num_bits, sizes.num_hashes.value_or(3)};
    if (scheme == RedisScheme::kGoSeeded) return go_seeded_of(bytes, redis_sizes);
    return foreign(format, RedisBitmapFilter::parse(bytes, scheme, redis_sizes));
  }
  if (sizes.num_bits || sizes.num_hashes) {
    throw ConfigError(
        sizes.num_bits ? "num_bits" : "num_hashes",
        "must be left out: a file of " + std::string(format) + " contains this value");
  }
  if (format == GuavaFilter::kName) return foreign(format, GuavaFilter::parse(bytes));
  if (format == GoBitsAndBloomsFilter::kName) {
    return foreign(format, GoBitsAndBloomsFilter::parse(bytes));
  }
  if (format == kGoJson) return foreign(format, GoBitsAndBloomsFilter::parse_json(bytes));
  if (format == RedisBloomFilter::kName) return foreign(format, RedisBloomFilter::parse(bytes));
  if (format == ParquetSbbfFilter::kName) return foreign(format, ParquetSbbfFilter::parse(bytes));
  return foreign(format, DcsoFilter::parse(bytes));
}

std::unique_ptr<FileFilter> parquet_filter_of(std::span<const std::uint64_t> words) {
  std::string bytes = ParquetSbbfFilter(8 * words.size_bytes() / 256).serialize();
  std::memcpy(bytes.data() + bytes.size() - words.size_bytes(), words.data(), words.size_bytes());
  return foreign(ParquetSbbfFilter::kName, ParquetSbbfFilter::parse(bytes));
}

std::unique_ptr<FileFilter> foreign_filter_of(RedisBitmapFilter filter) {
  const std::string_view format = name_of(filter.scheme());
  return foreign(format, std::move(filter));
}

std::unique_ptr<FileFilter> foreign_filter_of(RedisBloomFilter filter) {
  return foreign(RedisBloomFilter::kName, std::move(filter));
}

const RedisBitmapFilter* redis_bitmap_in(const FileFilter& filter) noexcept {
  return ForeignFilter<RedisBitmapFilter>::in(filter);
}

const RedisBloomFilter* redisbloom_in(const FileFilter& filter) noexcept {
  return ForeignFilter<RedisBloomFilter>::in(filter);
}

}  // namespace bloometry
