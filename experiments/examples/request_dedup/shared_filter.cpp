#include "experiments/examples/request_dedup/shared_filter.hpp"

#include "core/hash/xxh3_hasher.hpp"
#include "core/redis/connect_redis.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry::examples {
namespace {

constexpr const char* kFilter = "orders-seen";

}  // namespace

void create_shared_filter(const RedisUrl& url, const DedupSettings& settings,
                          std::uint64_t num_requests) {
  const auto client = connect_redis(url);
  // All requests may arrive while one generation is the newest, so it has room for all of them.
  const RotatingRequest request{.window = std::chrono::seconds(settings.window_s),
                                .generations = settings.generations,
                                .capacity = num_requests * (settings.generations - 1),
                                .target_false_positive_rate = settings.rate};
  create_rotating_in_redis(*client, kFilter,
                           rotating_parameters(request, header_of_hash(Xxh3Hasher(settings.seed))));
}

void drop_shared_filter(const RedisUrl& url) {
  const auto client = connect_redis(url);
  drop_rotating_from_redis(*client, kFilter);
}

std::unique_ptr<OrderService> start_guarded_service(const RedisUrl& url,
                                                    const DedupSettings& settings) {
  auto guard = std::make_unique<RepeatGuard>(
      connect_redis(url, settings.timeouts(), DedupSettings::retry()),
      RepeatGuard::Settings{.filter = kFilter, .seed = settings.seed, .pause = settings.pause()});
  return std::make_unique<OrderService>(std::move(guard),
                                        std::chrono::microseconds(settings.handling_us));
}

}  // namespace bloometry::examples
