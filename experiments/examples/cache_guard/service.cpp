#include "experiments/examples/cache_guard/service.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace bloometry::examples {

void Service::serve(std::span<const std::uint64_t> requests) {
  while (!requests.empty()) {
    const auto batch = requests.first(std::min(batch_size_, requests.size()));
    serve_batch(batch);
    requests = requests.subspan(batch.size());
  }
}

std::vector<bool> Service::query_guard(std::span<const std::uint64_t> requests) {
  if (!guard_) return std::vector<bool>(requests.size(), false);
  std::vector<KeyView> urls;
  for (const std::uint64_t url : requests) urls.emplace_back(log_.urls[url]);
  return guard_->are_surely_absent(urls);
}

void Service::serve_batch(std::span<const std::uint64_t> requests) {
  const std::uint64_t num_unknown_before = guard_ ? guard_->counts().num_unknown : 0;
  const Clock::time_point start = Clock::now();
  const std::vector<bool> absent = query_guard(requests);
  const auto guard_time = (Clock::now() - start) / static_cast<std::int64_t>(requests.size());
  // If a call of the guard fails, the answers to the whole batch are unknown.
  const bool is_unknown = guard_ && guard_->counts().num_unknown != num_unknown_before;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    serve_one(requests[i], absent[i], is_unknown, guard_time);
  }
}

void Service::serve_one(std::uint64_t url, bool is_surely_absent, bool is_unknown,
                        Clock::duration guard_time) {
  const bool exists = log_.exists(url);
  const Clock::time_point start = Clock::now();
  std::optional<std::string> target;  // absent: the answer is 404
  if (!is_surely_absent) target = table_.find(log_.urls[url]);
  const Clock::duration time = guard_time + (Clock::now() - start);

  ++outcome_.num_requests;
  ++(is_surely_absent ? outcome_.num_guarded : outcome_.num_lookups);
  if (is_unknown) ++outcome_.num_unknown;
  if (exists ? target != target_number(url) : target.has_value()) ++outcome_.num_wrong;
  (exists ? outcome_.hits : outcome_.misses).add(time);
  if (exists) {
    ++outcome_.num_existing;
  } else if (is_unknown) {
    ++outcome_.num_unknown_missing;
  } else {
    count_missing(url, is_surely_absent);
  }
}

void Service::count_missing(std::uint64_t url, bool is_surely_absent) {
  outcome_.missing_queried.insert(url);
  if (is_surely_absent) return;
  ++outcome_.num_passed;
  outcome_.missing_passed.insert(url);
}

void Outcome::check(const std::string& name, Checks& checks) const {
  checks.require_equal<std::uint64_t>(num_wrong, 0, name + ": no wrong answer");
  checks.require_equal(num_guarded + num_lookups, num_requests,
                       name + ": every request was looked up or answered by the guard");
  checks.require_equal(num_lookups, num_existing + num_passed + num_unknown_missing,
                       name + ": lookups add up: existing, false positives, fallen through");
}

Outcome Service::take_outcome() {
  return std::exchange(outcome_, {});
}

}  // namespace bloometry::examples
