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
  std::optional<std::chrono::milliseconds> ttl{};  ///< until the filter expires; absent: never
  /// Bitmaps that the bits are cut into; absent: as many as 2^32 bits each take, one if they fit.
  std::optional<std::uint64_t> num_shards{};
  /// Also over a key that holds something else than a filter with parameters.
  bool replaces_anything = false;
  /// Only where nothing is, also if something comes while it is loaded. For filters of one string.
  bool needs_free_key = false;
  /// How long the shards of the version before can still be asked.
  std::chrono::milliseconds old_shards_ttl{60'000};
  std::uint64_t slice_bytes = std::uint64_t{4} << 20U;  ///< sent at a time
  /// Called after every slice with the bytes done and all.
  std::function<void(std::uint64_t, std::uint64_t)> on_progress{};
};

/// Bytes [first, first + num_bytes) of string i (RedisLocation::keys).
using BitmapSource =
    std::function<std::string(std::uint64_t i, std::uint64_t first, std::uint64_t num_bytes)>;

/// Puts a filter into Redis, in place of what is there: it is loaded under temporary keys, which
/// are renamed in one step when all bytes are known to have come. Who asks meanwhile gets the
/// filter before, or an error that it has changed, never a part. One that is cut into shards is
/// loaded under the names of its version, and `NAME:current` is switched last.
/// @returns the parameters with their version.
/// @throws RedisError, leaving the filter before, kChanged if needs_free_key is not met;
/// ConfigError if it does not fit
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                RedisParameters parameters, const BitmapSource& source,
                                const RedisLoadOptions& options = {});

/// The same of a filter of this library. @param header with hash and seed, of image_of()
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const FilterImage& image, const RedisLoadOptions& options = {});

/// The same of another program's.
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const RedisBitmapFilter& filter,
                                const RedisLoadOptions& options = {});

/// An empty filter.
RedisParameters create_in_redis(RedisClient& client, const std::string& name,
                                RedisParameters parameters, const RedisLoadOptions& options = {});

/// The cells of a native filter in Redis. @param words of its size @throws RedisError
void pull_from_redis(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                     std::span<std::uint64_t> words,
                     const std::function<void(std::uint64_t, std::uint64_t)>& on_progress = {});

/// The bits of another program's filter. @throws RedisError
[[nodiscard]] RedisBitmapFilter pull_bitmap_from_redis(const std::shared_ptr<RedisClient>& client,
                                                       const RedisLocation& location);

/// Deletes a filter with its parameters, all shards included. @returns false if there was none.
/// @throws RedisError
bool drop_from_redis(RedisClient& client, const std::string& name);

}  // namespace bloometry
