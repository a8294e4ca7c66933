#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/error.hpp"
#include "core/file/filter_image.hpp"
#include "variants/redis/redis_load.hpp"

/// Transfers filters with their hashers (`Keyed`) to Redis and back:
///
///     load_into_redis(*client, "seen", seen);
///     auto copy = pull_from_redis<Keyed<StandardFilter>>(client, find_in_redis(*client, "seen"));
namespace bloometry {
namespace redis_detail {

/// The location of a filter in Redis, with the functions that file_detail calls for a file.
class FoundInRedis {
 public:
  FoundInRedis(const RedisClient& client, const RedisLocation& location)
      : where_(client.name() + ": key '" + location.name + "': "),
        header_(location.parameters.header()) {
    if (location.parameters.scheme) {
      refuse("its scheme is " + std::string(location.parameters.scheme_name()) +
             "; use pull_bitmap_from_redis");
    }
  }

  [[nodiscard]] const FileHeader& header() const noexcept { return header_; }

  [[noreturn]] void refuse(const std::string& why) const { throw ConfigError(where_ + why); }

 private:
  std::string where_;
  FileHeader header_;
};

template <StorableFilter F>
[[nodiscard]] F pull(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                     const FoundInRedis& found) {
  const std::array<std::uint64_t, 1> num_words = {F::num_words_for(found.header().geometry)};
  file_detail::require_class<F>(found, payload_bytes_of(num_words));
  F filter =
      file_detail::made_for(found, [&] { return F(file_detail::spec_of<F>(found.header())); });
  pull_from_redis(client, location, StoreAccess::cells(filter).all_words());
  return filter;
}

}  // namespace redis_detail

/// Loads a filter into Redis, together with the name and seed of its hash. For a hash with a
/// secret, the parameters contain an id of the secret and never the secret itself.
/// @throws the errors of load_into_redis for an image; ConfigError if the variant is not one of
/// variants_of_bits()
template <StorableFilter F, Hasher H>
RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const Keyed<F, H>& filter, const RedisLoadOptions& options = {}) {
  return load_into_redis(client, name, image_of(filter), options);
}

/// Returns a local copy of a filter in Redis: pull_from_redis<Keyed<StandardFilter>>(...). The
/// local copy has the seed that is stored in Redis. Later inserts in Redis do not change the local
/// copy.
/// @throws ConfigError if the filter in Redis has another variant, probe scheme or hash; RedisError
/// if the filter cannot be read; MemoryError if memory cannot be allocated
template <class T>
[[nodiscard]] T pull_from_redis(const std::shared_ptr<RedisClient>& client,
                                const RedisLocation& location) {
  const redis_detail::FoundInRedis found(*client, location);
  auto hasher = file_detail::hasher_of<typename T::Hash>(found);
  return T(redis_detail::pull<typename T::Inner>(client, location, found), std::move(hasher));
}

/// Returns a local copy of a filter in Redis, for a hash with a secret.
/// @throws the errors of the overload of pull_from_redis that does not take a secret; ConfigError
/// if the filter was built with another secret
template <class T>
[[nodiscard]] T pull_from_redis(const std::shared_ptr<RedisClient>& client,
                                const RedisLocation& location, typename T::Hash::Key secret) {
  const redis_detail::FoundInRedis found(*client, location);
  auto hasher = file_detail::hasher_of<typename T::Hash>(found, std::move(secret));
  return T(redis_detail::pull<typename T::Inner>(client, location, found), std::move(hasher));
}

}  // namespace bloometry
