#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/file/filter_image.hpp"
#include "core/redis/redis_client.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry {

struct RedisLoadOptions {
  /// Time until the filter expires. If the time is absent, the filter does not expire.
  std::optional<std::chrono::milliseconds> ttl{};
  /// Number of bitmaps into which the bits are divided. The default is the smallest number of
  /// bitmaps of at most 2^32 bits each.
  std::optional<std::uint64_t> num_shards{};
  /// Whether the load may replace the value of a key that does not hold a filter loaded by this
  /// library.
  bool replaces_anything = false;
  /// Whether the load fails if the key exists at the end of the load. The option needs_free_key is
  /// allowed only for filters of one string.
  bool needs_free_key = false;
  /// Time for which the shards of the previous version remain readable.
  std::chrono::milliseconds old_shards_ttl{60'000};
  std::uint64_t slice_bytes = std::uint64_t{4} << 20U;  ///< number of bytes per write
  /// Function that is called after every slice with the number of bytes done and the total number.
  std::function<void(std::uint64_t, std::uint64_t)> on_progress{};
};

/// Returns the bytes [first, first + num_bytes) of string i (RedisLocation::keys).
using BitmapSource =
    std::function<std::string(std::uint64_t i, std::uint64_t first, std::uint64_t num_bytes)>;

/// Loads a filter into Redis and replaces the existing filter of the given name. The bytes are
/// loaded under temporary keys, which are renamed in one step after all bytes have arrived. A query
/// during the load receives an answer of the previous filter, or an error with the failure
/// kChanged. A query never receives an answer of a partial filter. The shards of a sharded filter
/// are loaded under names that contain the version. The change of `NAME:current` is the last step.
/// @returns the stored parameters, including their version.
/// @throws RedisError if the load fails; the previous filter remains. The failure is kChanged if
/// needs_free_key is true and the key exists.
/// @throws ConfigError if the filter does not fit into the strings.
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                RedisParameters parameters, const BitmapSource& source,
                                const RedisLoadOptions& options = {});

/// Loads a filter of this library.
/// @param image result of image_of(); its header names the hash and the seed
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const FilterImage& image, const RedisLoadOptions& options = {});

/// Loads a filter of another program.
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const RedisBitmapFilter& filter,
                                const RedisLoadOptions& options = {});

/// Loads an empty filter.
RedisParameters create_in_redis(RedisClient& client, const std::string& name,
                                RedisParameters parameters, const RedisLoadOptions& options = {});

/// Reads the cells of a native filter in Redis.
/// @param words array of the filter's number of words
/// @throws RedisError if the read fails
void pull_from_redis(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                     std::span<std::uint64_t> words,
                     const std::function<void(std::uint64_t, std::uint64_t)>& on_progress = {});

/// Returns a filter of another program, with the bits that are stored in Redis.
/// @throws RedisError if the read fails
[[nodiscard]] RedisBitmapFilter pull_bitmap_from_redis(const std::shared_ptr<RedisClient>& client,
                                                       const RedisLocation& location);

/// Deletes a filter with its parameters and all shards.
/// @returns whether the filter existed.
/// @throws RedisError if a command fails
bool drop_from_redis(RedisClient& client, const std::string& name);

}  // namespace bloometry
