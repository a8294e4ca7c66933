#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "experiments/filters/file_filter.hpp"

namespace bloometry {

class RedisBitmapFilter;
class RedisBloomFilter;

/// What a format of another program is made from, or what a file does not carry.
struct GivenSizes {
  std::optional<std::uint64_t> num_keys{};
  std::optional<double> rate{};
  std::optional<std::uint64_t> num_bits{};
  std::optional<unsigned> num_hashes{};
};

/// The names that --from and --to take besides bloometry.
[[nodiscard]] std::span<const std::string_view> foreign_file_formats() noexcept;

/// An empty filter, sized as the program sizes it for num_keys and rate, or of num_bits and
/// num_hashes where the program lets its users say so.
/// @throws ConfigError
[[nodiscard]] std::unique_ptr<FileFilter> make_foreign_filter(std::string_view format,
                                                              const GivenSizes& sizes);

/// Reads the bytes of a file. @param sizes m and k of a bitmap, which carries neither.
/// @throws ConfigError that says what is wrong with the bytes, without the file's name
[[nodiscard]] std::unique_ptr<FileFilter> parse_foreign_filter(std::string_view format,
                                                               std::string_view bytes,
                                                               const GivenSizes& sizes);

/// A filter of Parquet with the blocks of split_block.
[[nodiscard]] std::unique_ptr<FileFilter> parquet_filter_of(std::span<const std::uint64_t> words);

/// A filter of Redis as if it had been read from a file.
[[nodiscard]] std::unique_ptr<FileFilter> foreign_filter_of(RedisBitmapFilter filter);
[[nodiscard]] std::unique_ptr<FileFilter> foreign_filter_of(RedisBloomFilter filter);

/// What was read from a file of the format; null if it has another one.
[[nodiscard]] const RedisBitmapFilter* redis_bitmap_in(const FileFilter& filter) noexcept;
[[nodiscard]] const RedisBloomFilter* redisbloom_in(const FileFilter& filter) noexcept;

}  // namespace bloometry
