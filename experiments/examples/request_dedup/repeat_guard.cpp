#include "experiments/examples/request_dedup/repeat_guard.hpp"

#include <exception>

#include "core/hash/xxh3_hasher.hpp"

namespace bloometry::examples {

Verdict RepeatGuard::check(KeyView request) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point start = Clock::now();
  if (start < retry_at_) {
    ++counts_.num_unknown;
    return Verdict::kUnknown;
  }
  try {
    return query_and_insert(request);
  } catch (const std::exception&) {
    // After any error, the service continues without the guard.
    filter_.reset();
    retry_at_ = Clock::now() + settings_.pause;
    ++counts_.num_errors;
    ++counts_.num_unknown;
    counts_.time_in_errors += Clock::now() - start;
    return Verdict::kUnknown;
  }
}

RepeatGuard::Counts RepeatGuard::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

Verdict RepeatGuard::query_and_insert(KeyView request) {
  if (!filter_) {
    filter_.emplace(client_, find_rotating_in_redis(*client_, settings_.filter),
                    Xxh3Hasher(settings_.seed));
  }
  const Presence before = filter_->lookup_and_insert(request).presence();  // throws RedisError
  return before == Presence::kAbsent ? Verdict::kNew : Verdict::kRepeated;
}

}  // namespace bloometry::examples
