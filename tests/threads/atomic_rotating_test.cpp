// Tests the atomic rotating filter: in one thread against the plain filter, and while several
// threads insert, query and tick at the same time.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/file/filter_image.hpp"
#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"
#include "tests/threads/run_together.hpp"
#include "variants/rotating/atomic_rotating_filter.hpp"
#include "variants/rotating/rotating_filter.hpp"

namespace bloometry {
namespace {

FilterSpec rotating_spec(std::uint64_t num_generations, std::uint64_t capacity,
                         std::uint64_t bits_per_generation, unsigned num_hashes) {
  return {.num_bits = num_generations * bits_per_generation,
          .num_hashes = num_hashes,
          .params = {{"generations", static_cast<double>(num_generations)},
                     {"generation_capacity", static_cast<double>(capacity)}}};
}

FilterSpec with_generation(FilterSpec spec, const char* kind) {
  spec.params["generation"] = std::string(kind);
  return spec;
}

Digest key_of(unsigned thread, std::uint64_t number) {
  const std::uint64_t word = number * 64 + thread;
  return {mix64(word + 1), mix64(word ^ kRootTwoGamma)};
}

/// Numbers of insert calls that have begun and that have returned, in all threads.
struct Calls {
  std::atomic<std::uint64_t> num_begun = 0;
  std::atomic<std::uint64_t> num_returned = 0;
};

/// A key of a thread, and the number of calls that had returned before its insert began. All of
/// them have earlier places.
struct OwnKey {
  Digest digest;
  std::uint64_t num_before;
};

struct Tally {
  std::uint64_t num_checked = 0;
  std::uint64_t num_violations = 0;

  void add(const Tally& other) noexcept {
    num_checked += other.num_checked;
    num_violations += other.num_violations;
  }
};

/// Inserts and queries the keys of one thread. A query counts as checked if the window of its key
/// certainly contains the moment at which the query ended.
template <class F>
Tally insert_and_query(F& filter, unsigned thread, std::uint64_t num_operations, Calls& calls) {
  const std::uint64_t window = *filter.window().num_inserts;
  std::mt19937_64 random(thread);
  std::vector<OwnKey> keys;
  Tally tally;
  for (std::uint64_t i = 0; i < num_operations; ++i) {
    const bool inserts = keys.empty() || random() % 2 == 0;
    if (inserts) {
      const OwnKey key{key_of(thread, keys.size()), calls.num_returned.load()};
      ++calls.num_begun;
      filter.insert(key.digest);
      ++calls.num_returned;
      keys.push_back(key);
      continue;
    }
    const OwnKey& key = keys[keys.size() - 1 - random() % std::min<std::uint64_t>(keys.size(), 64)];
    const bool is_found = filter.contains(key.digest);
    if (calls.num_begun.load() - key.num_before > window) continue;
    ++tally.num_checked;
    tally.num_violations += is_found ? 0 : 1;
  }
  return tally;
}

/// Lets the threads insert and query together. Returns the checked queries and the violations.
template <class F>
Tally run_window(const FilterSpec& spec, unsigned num_threads, std::uint64_t num_operations) {
  F filter(spec);
  Calls calls;
  std::vector<Tally> tallies(num_threads);
  test::run_together(num_threads, [&](unsigned t) {
    tallies[t] = insert_and_query(filter, t, num_operations / num_threads, calls);
  });
  Tally sum;
  for (const Tally& tally : tallies) sum.add(tally);
  return sum;
}

/// Inserts distinct keys in several threads, and returns how many keys are in the generation of
/// each age. Every generation is so large that no key is a false positive.
template <class F>
std::vector<std::uint64_t> keys_by_age(F& filter, unsigned num_threads, std::uint64_t num_keys) {
  test::run_together(num_threads, [&](unsigned t) {
    for (std::uint64_t i = 0; i < num_keys; ++i) filter.insert(key_of(t, i));
  });
  std::vector<std::uint64_t> keys(filter.settings().num_generations);
  for (unsigned t = 0; t < num_threads; ++t) {
    for (std::uint64_t i = 0; i < num_keys; ++i) {
      if (const auto age = filter.age(key_of(t, i))) ++keys[*age];
    }
  }
  return keys;
}

}  // namespace

TEMPLATE_TEST_CASE(
    "atomic rotating: one thread gives the answers and the cells of the plain filter", "[threads]",
    AtomicRotatingFilter, AtomicRotatingBlockedFilter) {
  std::mt19937_64 random(test::test_seed());
  const char* const kind = std::is_same_v<TestType, AtomicRotatingFilter> ? "standard" : "blocked";
  for (int i = 0; i < 200; ++i) {
    const FilterSpec spec = with_generation(
        rotating_spec(2 + random() % 6, 1 + random() % 9, 100 + random() % 300, 3), kind);
    RotatingFilter plain(spec);
    TestType atomic(spec);
    CHECK(atomic.window() == plain.window());
    CHECK(atomic.num_bits() == plain.num_bits());
    for (int step = 0; step < 120; ++step) {
      if (random() % 12 == 0) {
        plain.tick();
        atomic.tick();
        continue;
      }
      const Digest key = key_of(0, random() % 60);
      REQUIRE(atomic.age(key) == plain.age(key));
      REQUIRE(atomic.insert(key) == plain.insert(key));
    }
    REQUIRE(atomic.state() == plain.state());
    REQUIRE(atomic.num_rotations() == plain.generations().num_rotations);
    REQUIRE(atomic.num_in_newest() == plain.generations().num_inserted.front());
    const FilterImage image = image_of(plain);
    for (std::size_t s = 0; s < image.stores.size(); ++s) {
      REQUIRE(std::ranges::equal(atomic.words_in_slot(s), image.stores[s]));
    }
    atomic.clear();
    CHECK(atomic.state().num_ones == 0);
    CHECK(atomic.num_rotations() == 0);
  }
}

TEMPLATE_TEST_CASE("atomic rotating: 8 threads find every key within its window", "[threads]",
                   AtomicRotatingFilter, AtomicRotatingBlockedFilter) {
  for (const std::uint64_t num_generations : {2U, 4U}) {
    for (const std::uint64_t capacity : {40U, 300U}) {
      CAPTURE(num_generations, capacity);
      const FilterSpec spec = rotating_spec(num_generations, capacity, 16 * capacity, 8);
      const Tally tally = run_window<TestType>(spec, 8, 125'000);
      CHECK(tally.num_violations == 0);
      CHECK(tally.num_checked > 1000);
    }
  }
}

// Run by hand: takes minutes.
TEST_CASE("atomic rotating: 8 threads find every key within its window in 1e8 operations",
          "[.long]") {
  Tally sum;
  for (const std::uint64_t capacity : {40U, 100U, 1000U, 100'000U}) {
    sum.add(run_window<AtomicRotatingFilter>(rotating_spec(4, capacity, 16 * capacity, 8), 8,
                                             25'000'000));
  }
  WARN(sum.num_checked << " queries within the window");
  CHECK(sum.num_violations == 0);
  CHECK(sum.num_checked > 1'000'000);
}

TEST_CASE("atomic rotating: every key is in the generation of its place, also of slow threads",
          "[threads]") {
  // With so small generations, a thread that is stopped in an insert is overtaken by B generations
  // at once. If a generation were cleared too early, or opened before it is cleared, keys would be
  // lost or would appear in a newer generation.
  for (const std::uint64_t num_generations : {2U, 3U, 5U}) {
    for (const std::uint64_t capacity : {1U, 2U, 7U}) {
      for (const unsigned num_threads : {2U, 8U}) {
        CAPTURE(num_generations, capacity, num_threads);
        AtomicRotatingFilter filter(rotating_spec(num_generations, capacity, 4096, 8));
        const std::uint64_t num_keys = 8'000 / num_threads;
        const auto keys = keys_by_age(filter, num_threads, num_keys);
        std::vector<std::uint64_t> expected(num_generations, capacity);
        expected.front() = filter.num_in_newest();
        CHECK(keys == expected);
        CHECK(filter.num_rotations() * capacity + filter.num_in_newest() == 8'000);
      }
    }
  }
}

TEST_CASE("atomic rotating: ticks and inserts of several threads rotate once each", "[threads]") {
  constexpr std::uint64_t kCapacity = 5;
  constexpr std::uint64_t kTicks = 2'000;
  constexpr std::uint64_t kKeys = 20'000;
  AtomicRotatingFilter filter(rotating_spec(4, kCapacity, 4096, 8));
  test::run_together(4, [&](unsigned t) {
    if (t == 3) {
      for (std::uint64_t i = 0; i < kTicks; ++i) filter.tick();
    } else {
      for (std::uint64_t i = 0; i < kKeys; ++i) filter.insert(key_of(t, i));
    }
  });
  // Each tick is a rotation. The inserts cause at least those of full generations after all ticks,
  // and at most one for every g inserts.
  CHECK(filter.num_rotations() >= kTicks);
  CHECK(filter.num_rotations() <= kTicks + 3 * kKeys / kCapacity);
  CHECK(filter.num_rotations() >= (3 * kKeys - kTicks * kCapacity) / kCapacity);
  // The threads have stopped: B ticks forget everything, and not fewer.
  filter.insert(key_of(9, 0));
  for (int i = 0; i < 3; ++i) {
    filter.tick();
    CHECK(filter.contains(key_of(9, 0)));
  }
  filter.tick();
  CHECK_FALSE(filter.contains(key_of(9, 0)));
  CHECK(filter.state().num_ones == 0);
}

TEST_CASE("atomic rotating: insert of a new key returns true in at least one thread", "[threads]") {
  AtomicRotatingFilter filter(rotating_spec(3, 100, 1 << 16U, 8));
  constexpr std::uint64_t kKeys = 20'000;
  std::vector<std::atomic<unsigned>> num_told(kKeys);
  test::run_together(4, [&](unsigned /*t*/) {
    for (std::uint64_t i = 0; i < kKeys; ++i) {
      if (filter.insert(key_of(0, i))) ++num_told[i];
    }
  });
  for (const std::atomic<unsigned>& told : num_told) {
    if (told < 1) FAIL("nobody was told of a new key");
  }
}

TEST_CASE("atomic rotating: the kind of the generations and the rotation are refused by name",
          "[threads]") {
  const FilterSpec spec = rotating_spec(4, 10, 512, 8);
  const auto complaint = [](const FilterSpec& of) {
    return test::message_of<ConfigError>([&] { AtomicRotatingFilter{of}; });
  };
  CHECK(complaint(with_generation(spec, "lanes")) ==
        "generation must be standard for this class, got lanes");
  FilterSpec by_ticks = spec;
  by_ticks.params["rotation"] = std::string("ticks");
  CHECK(complaint(by_ticks) == "rotation must be inserts for several threads, got ticks");
  // With a larger capacity, the position of the newest insert would overflow after fewer rotations.
  FilterSpec large = spec;
  large.params["generation_capacity"] = 0x1p31 + 1;
  CHECK(complaint(large) ==
        "generation_capacity must be at most 2147483648 for several threads, got 2147483649");
  large.params["generation_capacity"] = 0x1p31;
  AtomicRotatingFilter largest(large);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    largest.insert(key_of(0, i));
    largest.tick();
    if (!largest.contains(key_of(0, i))) FAIL("a key is lost after tick " << i);
  }
}

}  // namespace bloometry
