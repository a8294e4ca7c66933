#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_url.hpp"
#include "experiments/cli/redis/redis_options.hpp"
#include "experiments/filter_files/filter_hash.hpp"
#include "experiments/filter_files/sizes_check.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/rotating_in_redis.hpp"

/// Functions that find the server and the filter of the `bloometry redis` commands.
namespace bloometry::redis_cli {

/// Returns the URL of the server that the options and the environment name, with the password of
/// the server. Several given passwords (URL, BLOOMETRY_REDIS_PASSWORD, file) must be equal.
/// @throws ConfigError; IoError
[[nodiscard]] RedisUrl server_url(const ServerOptions& options);

/// Connects to the server that the options name.
/// @param patience time added to the timeout of a batch
/// @throws ConfigError and IoError under the same conditions as server_url; throws RedisError
[[nodiscard]] std::shared_ptr<RedisClient> connect(const ServerOptions& options,
                                                   std::chrono::milliseconds patience = {});

/// Maximum size in bytes of a filter whose bits `info` reads, and whose set bits the server counts
/// when `query` or `add` opens the filter.
inline constexpr std::uint64_t kMaxBytesRead = std::uint64_t{64} << 20U;

/// Returns the scheme with the given name: jedis, pyrebloom, php3, go_seeded or go-seeded. Throws
/// ConfigError for other names.
[[nodiscard]] RedisScheme scheme_named(const std::string& name);

/// Throws ConfigError if the options are wrong whatever is in Redis: for an unknown scheme, and for
/// m or k without a scheme.
void require_valid(const TargetOptions& options);

/// Returns the filter that the options name: a filter with parameters, or another program's bitmap.
/// @throws RedisError with kMissing and advice if the filter does not exist. Throws ConfigError if
/// the bitmap is too long or too short for m.
[[nodiscard]] RedisLocation find_filter(RedisClient& client, const TargetOptions& options);

/// Returns whether the options name a rotating filter, which find_filter refuses.
/// @throws RedisError
[[nodiscard]] bool rotates(RedisClient& client, const TargetOptions& options);

/// Returns the result of checking m and k of another program's bitmap in one string. Returns
/// nullopt for a filter with parameters, which contain m and k, and for a bitmap in several
/// strings. If the user may not run BITCOUNT, only the length of the bitmap is checked.
[[nodiscard]] std::optional<SizesCheck> check_sizes(RedisClient& client,
                                                    const RedisLocation& location);

/// A filter in Redis with the hash that its parameters name. The filter may rotate.
class HashedFilter {
 public:
  HashedFilter(std::shared_ptr<RedisClient> client, const TargetOptions& options,
               const RedisFilter::Options& how);

  [[nodiscard]] bool rotates() const noexcept { return rotating_.has_value(); }

  /// Returns the result of check_sizes() for the filter.
  [[nodiscard]] std::optional<SizesCheck> sizes_check() const;

  /// Returns whether insert() counts new keys. If the bits of a key may be in several strings, new
  /// keys cannot be counted, because each string has its own count.
  [[nodiscard]] bool counts_new_keys() const;

  /// Inserts keys and returns the number of new ones.
  /// @throws the exceptions of RedisFilter::insert
  std::uint64_t insert(std::span<const KeyView> keys);

  /// Blocks until num_replicas replicas have the inserted keys.
  /// @throws RedisError
  void wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout);

  /// Queries the keys in a single version of the filter. If the filter is replaced during the
  /// query, all keys are queried again, at most ten times, with a message on standard error. A
  /// rotating filter that is replaced is an error.
  /// @throws the exceptions of RedisFilter::query
  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> keys);

 private:
  void open(RedisLocation location);
  void open(RotatingLocation location);
  bool reopen_if_replaced();

  std::shared_ptr<RedisClient> client_;
  const TargetOptions& options_;
  RedisFilter::Options how_;
  std::optional<FilterHash> hash_;
  // One of the two has a value.
  std::optional<RedisFilter> filter_;
  std::optional<RotatingInRedis> rotating_;
};

/// Returns a text such as `1.14 MiB in 1 string, version 0123...`. Only a filter with parameters
/// has a version.
[[nodiscard]] std::string storage_text(const RedisLocation& location);

}  // namespace bloometry::redis_cli
