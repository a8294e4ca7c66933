// Measures the cost and the gain of the atomic form. `bloometry_thread_tests "[.throughput]"`
// prints the tables in variants/standard/README.md and variants/rotating/README.md.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/threads/run_together.hpp"
#include "variants/rotating/atomic_rotating_filter.hpp"
#include "variants/rotating/rotating_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

/// A filter with a lock, for comparison with the atomic filter.
class LockedFilter {
 public:
  explicit LockedFilter(const FilterSpec& spec) : filter_(spec) {}

  bool insert(const Digest& digest) {
    const std::lock_guard lock(mutex_);
    return filter_.insert(digest);
  }

  bool contains(const Digest& digest) {
    const std::lock_guard lock(mutex_);
    return filter_.contains(digest);
  }

 private:
  std::mutex mutex_;
  StandardFilter filter_;
};

/// Wall time in ns, divided by the total number of keys of all threads.
struct Times {
  double insert_ns = 0;
  double query_ns = 0;
};

template <class Work>
double ns_per_key(std::uint64_t num_keys, unsigned num_threads, Work work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  test::run_together(num_threads, work);
  const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
  return elapsed.count() / static_cast<double>(num_keys);
}

template <class F>
Times measure(const FilterSpec& spec, std::span<const Digest> keys, std::span<const Digest> queries,
              unsigned num_threads) {
  F filter(spec);
  const std::size_t part = keys.size() / num_threads;
  Times times;
  times.insert_ns = ns_per_key(keys.size(), num_threads, [&](unsigned t) {
    for (const Digest& key : keys.subspan(t * part, part)) filter.insert(key);
  });
  std::atomic<std::uint64_t> num_found = 0;
  times.query_ns = ns_per_key(queries.size(), num_threads, [&](unsigned t) {
    std::uint64_t own = 0;
    for (const Digest& key : queries.subspan(t * part, part)) {
      own += static_cast<std::uint64_t>(filter.contains(key));
    }
    num_found += own;
  });
  CHECK(num_found < queries.size() / 20);
  return times;
}

}  // namespace

TEST_CASE("throughput: prints plain, mutex, atomic and rotating filters with one thread and two",
          "[.throughput]") {
  constexpr std::uint64_t kNumKeys = 2'000'000;
  const auto keys = test::member_digests(kNumKeys);
  const auto queries = test::nonmember_digests(kNumKeys);
  const FilterSpec spec{.capacity = kNumKeys, .bits_per_key = 10, .num_hashes = 7};
  // A window of all keys, at the same rate in its worst phase.
  const FilterSpec rotating{.capacity = kNumKeys, .bits_per_key = 16, .num_hashes = 10};
  std::map<std::string, Times> best;
  const auto record = [&best](const std::string& name, const Times& times) {
    const auto [found, is_new] = best.emplace(name, times);
    if (is_new) return;
    found->second.insert_ns = std::min(found->second.insert_ns, times.insert_ns);
    found->second.query_ns = std::min(found->second.query_ns, times.query_ns);
  };
  for (int round = 0; round < 9; ++round) {
    record("plain, 1 thread", measure<StandardFilter>(spec, keys, queries, 1));
    record("rotating, 1 thread", measure<RotatingFilter>(rotating, keys, queries, 1));
    for (const unsigned num_threads : {1U, 2U}) {
      const std::string threads = num_threads == 1 ? ", 1 thread" : ", 2 threads";
      record("atomic" + threads, measure<AtomicStandardFilter>(spec, keys, queries, num_threads));
      record("atomic rotating" + threads,
             measure<AtomicRotatingFilter>(rotating, keys, queries, num_threads));
      record("mutex" + threads, measure<LockedFilter>(spec, keys, queries, num_threads));
    }
  }
  for (const auto& [name, times] : best) {
    std::cout << std::setw(28) << name << std::fixed << std::setprecision(1) << "  insert "
              << times.insert_ns << " ns, query " << times.query_ns << " ns a key\n";
  }
}

}  // namespace bloometry
