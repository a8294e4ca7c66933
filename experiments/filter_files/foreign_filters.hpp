#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "experiments/filter_files/file_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"
#include "variants/registry/size_request.hpp"

namespace bloometry {

class RedisBitmapFilter;
class RedisBloomFilter;

/// Returns the formats that --from and --to accept, except bloometry.
[[nodiscard]] std::span<const std::string_view> foreign_file_formats() noexcept;

/// Returns an empty filter of the size that the other program chooses for num_keys and rate. The
/// request may contain num_bits (or num_cells) and num_hashes instead if users of the other program
/// can set them.
/// @throws ConfigError
[[nodiscard]] std::unique_ptr<FileFilter> make_foreign_filter(std::string_view format,
                                                              const SizeRequest& request);

/// Returns m and k of a bitmap in Redis: those of the request, or those that the program of the
/// scheme computes from num_keys, which must be present, and rate (default 0.01).
/// @throws ConfigError naming a size that is missing, superfluous or impossible.
[[nodiscard]] RedisSizes redis_bitmap_sizes(RedisScheme scheme, const SizeRequest& request);

/// Parses the bytes of a file. @param sizes num_bits and num_hashes of a bitmap; files of other
/// formats contain m and k
/// @throws ConfigError describing the error in the bytes, without the file's name
[[nodiscard]] std::unique_ptr<FileFilter> parse_foreign_filter(std::string_view format,
                                                               std::string_view bytes,
                                                               const SizeRequest& sizes);

/// Throws ConfigError for a format to which a filter cannot be converted.
/// @param why end of the sentence, with the possible formats or the condition of this format
[[noreturn]] void refuse_conversion(std::string_view from, std::string_view to,
                                    std::string_view why = {});

/// Returns a Parquet filter with the blocks of a split_block filter. @param words cells of that
/// filter
[[nodiscard]] std::unique_ptr<FileFilter> parquet_filter_of(std::span<const std::uint64_t> words);

/// Returns a Redis filter as a FileFilter, as if the filter had been read from a file.
[[nodiscard]] std::unique_ptr<FileFilter> foreign_filter_of(RedisBitmapFilter filter);
[[nodiscard]] std::unique_ptr<FileFilter> foreign_filter_of(RedisBloomFilter filter);

/// Returns the Redis bitmap in `filter`, or null if the filter has another format.
[[nodiscard]] const RedisBitmapFilter* redis_bitmap_in(const FileFilter& filter) noexcept;
[[nodiscard]] const RedisBloomFilter* redisbloom_in(const FileFilter& filter) noexcept;

}  // namespace bloometry
