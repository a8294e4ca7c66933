#include "experiments/examples/cache_guard/url_guard.hpp"

#include <exception>

#include "core/hash/xxh3_hasher.hpp"

namespace bloometry::examples {

std::vector<bool> UrlGuard::are_surely_absent(std::span<const KeyView> urls) {
  std::vector<bool> absent(urls.size(), false);  // the answers if Redis fails
  const Clock::time_point start = Clock::now();
  if (start < retry_at_) {
    counts_.num_unknown += urls.size();
    return absent;
  }
  try {
    const std::vector<Presence> answers = query(urls);
    for (std::size_t i = 0; i < urls.size(); ++i) absent[i] = answers[i] == Presence::kAbsent;
  } catch (const std::exception&) {
    // After any error, the service continues without the guard.
    filter_.reset();
    retry_at_ = Clock::now() + settings_.pause;
    ++counts_.num_errors;
    counts_.num_unknown += urls.size();
    counts_.time_in_errors += Clock::now() - start;
  }
  return absent;
}

std::vector<Presence> UrlGuard::query(std::span<const KeyView> urls) {
  if (!filter_) {
    filter_.emplace(client_, find_in_redis(*client_, settings_.filter), Xxh3Hasher(settings_.seed));
  }
  return filter_->query(urls);  // one answer per URL; throws RedisError
}

}  // namespace bloometry::examples
