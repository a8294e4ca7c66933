#include "experiments/filter_files/foreign_filters.hpp"

#include <cstring>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "experiments/filter_files/foreign_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {

void refuse_conversion(std::string_view from, std::string_view to, std::string_view why) {
  throw ConfigError(
      fmt::format("files of {} cannot be converted to {}{}. Build the filter from its keys: "
                  "`bloometry filter build KEYS --to {} -o FILE`",
                  from, to, why, to));
}

std::unique_ptr<FileFilter> make_foreign_filter(std::string_view name, const SizeRequest& request) {
  const ForeignFileFormat& format = foreign_file_format("to", name);
  return format.make(format, in_bits(request));
}

std::unique_ptr<FileFilter> parse_foreign_filter(std::string_view name, std::string_view bytes,
                                                 const SizeRequest& sizes) {
  const ForeignFileFormat& format = foreign_file_format("from", name);
  return format.parse(format, bytes, sizes);
}

std::unique_ptr<FileFilter> parquet_filter_of(std::span<const std::uint64_t> words) {
  std::string bytes = ParquetSbbfFilter(8 * words.size_bytes() / 256).serialize();
  std::memcpy(bytes.data() + bytes.size() - words.size_bytes(), words.data(), words.size_bytes());
  return parse_foreign_filter(ParquetSbbfFilter::kName, bytes, {});
}

std::unique_ptr<FileFilter> foreign_filter_of(RedisBitmapFilter filter) {
  const ForeignFileFormat& format = foreign_file_format("to", name_of(filter.scheme()));
  return foreign(format, std::move(filter));
}

std::unique_ptr<FileFilter> foreign_filter_of(RedisBloomFilter filter) {
  return foreign(foreign_file_format("to", RedisBloomFilter::kName), std::move(filter));
}

const RedisBitmapFilter* redis_bitmap_in(const FileFilter& filter) noexcept {
  return ForeignFilter<RedisBitmapFilter>::in(filter);
}

const RedisBloomFilter* redisbloom_in(const FileFilter& filter) noexcept {
  return ForeignFilter<RedisBloomFilter>::in(filter);
}

}  // namespace bloometry
