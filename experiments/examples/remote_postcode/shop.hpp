#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/hash/key_view.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/redis/redis_client.hpp"
#include "variants/redis/redis_filter.hpp"

namespace bloometry::examples {

/// A service that checks whether deliveries to a postcode cost a surcharge. The shop needs only the
/// address of Redis and the name of the filter, because Redis stores variant, sizes and seed with
/// the bits.
class Shop {
 public:
  /// Opens the filter. Throws RedisError if the filter does not exist, and ConfigError if its hash
  /// is not XXH3.
  Shop(const std::shared_ptr<RedisClient>& client, const std::string& filter,
       const RedisFilter::Options& options);

  /// Returns one answer per postcode: whether the postcode is remote. The answer false is always
  /// correct. A postcode that is not remote gets the answer true at the false-positive rate of the
  /// filter.
  /// @throws RedisError if Redis does not answer for all postcodes
  [[nodiscard]] std::vector<bool> are_remote(std::span<const KeyView> postcodes);

  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;

 private:
  Shop(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
       const RedisFilter::Options& options);

  Xxh3Hasher hasher_;
  RedisFilter filter_;
};

/// Returns one answer per postcode: whether the SET contains the postcode. Throws RedisError.
[[nodiscard]] std::vector<bool> are_in_set(RedisClient& client, const std::string& name,
                                           std::span<const KeyView> postcodes);

}  // namespace bloometry::examples
