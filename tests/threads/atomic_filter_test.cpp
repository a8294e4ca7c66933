// Tests filters over Atomic memory while several threads fill and query them at the same time.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/threads/run_together.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

template <class F>
using AtomicOf = typename F::template WithMemory<Atomic<OwnedMemory>>;

template <class F>
F serial_filter(const FilterSpec& spec, std::span<const Digest> keys) {
  F filter(spec);
  for (const Digest& key : keys) filter.insert(key);
  return filter;
}

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return std::ranges::equal(a.bits().words(), b.bits().words());
}

/// Inserts part t and the next part of the keys, so that two threads insert each key.
template <class F>
void insert_parts(F& filter, std::span<const Digest> keys, unsigned num_threads, unsigned t) {
  const std::size_t part = keys.size() / num_threads;
  for (std::size_t i = 0; i < 2 * part; ++i) {
    filter.insert(keys[(t * part + i) % (part * num_threads)]);
  }
}

}  // namespace

TEST_CASE("atomic: no bit is lost when two threads set bits of the same word", "[threads]") {
  // Both threads visit the same words at the same pace. One thread sets the even bits, and the
  // other thread sets the odd bits.
  constexpr std::uint64_t kWordsPerRound = 64;
  constexpr std::uint64_t kRounds = 400;
  constexpr std::uint64_t kNumBits = 64 * kWordsPerRound * kRounds;
  BitArray<Atomic<OwnedMemory>> bits(kNumBits);
  std::barrier round(2);
  std::atomic<std::uint64_t> num_new = 0;
  test::run_together(2, [&](unsigned t) {
    std::uint64_t own = 0;
    for (std::uint64_t i = t; i < kNumBits; i += 2) {
      if (i % (64 * kWordsPerRound) == t) round.arrive_and_wait();
      own += static_cast<std::uint64_t>(bits.set(i));
    }
    num_new += own;
  });
  CHECK(bits.count() == kNumBits);
  CHECK(num_new == kNumBits);
}

TEMPLATE_TEST_CASE("atomic: threads that fill a filter together set the bits of a serial build",
                   "[threads]", StandardFilter, PartitionedFilter, BlockedFilter,
                   StandardFilter::WithProbes<DistinctProbes>) {
  const auto keys = test::member_digests(12'000);
  // With few bits, the threads access the same words all the time. With many bits, the threads
  // rarely access the same words.
  for (const double bits_per_key : {0.5, 10.0}) {
    const FilterSpec spec{.capacity = keys.size(), .bits_per_key = bits_per_key, .num_hashes = 5};
    const auto serial = serial_filter<TestType>(spec, keys);
    for (const unsigned num_threads : {2U, 3U, 8U}) {
      CAPTURE(bits_per_key, num_threads);
      AtomicOf<TestType> filter(spec);
      test::run_together(num_threads,
                         [&](unsigned t) { insert_parts(filter, keys, num_threads, t); });
      CHECK(same_bits(filter, serial));
      CHECK(filter.state().num_ones == serial.state().num_ones);
    }
  }
}

TEMPLATE_TEST_CASE("atomic: with one hash, as many inserts return true as bits are set",
                   "[threads]", AtomicStandardFilter, AtomicBlockedFilter) {
  const auto keys = test::member_digests(20'000);
  const FilterSpec spec{.capacity = keys.size(), .bits_per_key = 1, .num_hashes = 1};
  TestType filter(spec);
  std::atomic<std::uint64_t> num_new = 0;
  test::run_together(4, [&](unsigned /*t*/) {
    std::uint64_t own = 0;
    for (const Digest& key : keys) own += static_cast<std::uint64_t>(filter.insert(key));
    num_new += own;
  });
  CHECK(num_new == filter.state().num_ones);
}

TEST_CASE(
    "atomic: insert of a new key returns true in at least one thread, and at most once per thread",
    "[threads]") {
  // The filter has so many bits that every key has its own bit, and absent keys do not test
  // positive by chance.
  const auto keys = test::member_digests(5'000);
  const FilterSpec spec{.num_bits = 10'000'000, .num_hashes = 4};
  AtomicStandardFilter filter(spec);
  std::vector<std::atomic<unsigned>> num_told(keys.size());
  std::atomic<unsigned> num_told_twice = 0;
  test::run_together(4, [&](unsigned /*t*/) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (filter.insert(keys[i])) ++num_told[i];
      if (filter.insert(keys[i])) ++num_told_twice;
    }
  });
  for (const std::atomic<unsigned>& told : num_told) {
    if (told < 1 || told > 4) FAIL("a new key was told to be new " << told << " times");
  }
  CHECK(num_told_twice == 0);
}

TEMPLATE_TEST_CASE("atomic: a reader that acquires a writer's release finds all its keys",
                   "[threads]", AtomicStandardFilter, AtomicBlockedFilter) {
  const auto keys = test::member_digests(20'000);
  const FilterSpec spec{.capacity = keys.size(), .bits_per_key = 8, .num_hashes = 5};
  TestType filter(spec);
  // Two threads insert the same keys, so a thread often finds that the other thread has already set
  // the bits.
  std::vector<std::atomic<std::size_t>> num_written(2);
  std::atomic<std::uint64_t> num_missed = 0;
  test::run_together(4, [&](unsigned t) {
    std::atomic<std::size_t>& written = num_written[t % 2];
    if (t < 2) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        filter.insert(keys[i]);
        if (i % 64 == 63 || i + 1 == keys.size()) written.store(i + 1, std::memory_order_release);
      }
      return;
    }
    std::size_t num_queried = 0;
    while (num_queried < keys.size()) {
      const std::size_t end = written.load(std::memory_order_acquire);
      for (; num_queried < end; ++num_queried) {
        num_missed += static_cast<std::uint64_t>(!filter.contains(keys[num_queried]));
      }
    }
  });
  CHECK(num_missed == 0);
}

TEMPLATE_TEST_CASE("atomic: the state can be read during inserts and never decreases", "[threads]",
                   AtomicStandardFilter, AtomicBlockedFilter) {
  const auto keys = test::member_digests(6'000);
  TestType filter(FilterSpec{.capacity = keys.size(), .bits_per_key = 8, .num_hashes = 5});
  std::atomic<unsigned> num_falls = 0;
  test::run_together(3, [&](unsigned t) {
    if (t < 2) return insert_parts(filter, keys, 2, t);
    std::uint64_t ones = 0;
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t now = filter.state().num_ones;
      num_falls += static_cast<unsigned>(now < ones);
      ones = now;
      static_cast<void>(filter.estimate_count());
      if constexpr (ProbeCountingFilter<TestType>) {
        static_cast<void>(filter.num_set_probes(keys[static_cast<std::size_t>(i)]));
      }
    }
  });
  CHECK(num_falls == 0);
}

TEST_CASE("atomic: borrowed words can be filled by several threads", "[threads]") {
  using Shared = StandardFilter::WithMemory<Atomic<BorrowedMemory>>;
  const auto keys = test::member_digests(4'000);
  const FilterSpec spec{.capacity = keys.size(), .bits_per_key = 10, .num_hashes = 7};
  AlignedWords lent(Shared::num_words_for(Shared::geometry(spec)));
  Shared filter(spec, {BorrowedMemory{{lent.data(), lent.size()}}});
  test::run_together(2, [&](unsigned t) { insert_parts(filter, keys, 2, t); });
  CHECK(same_bits(filter, serial_filter<StandardFilter>(spec, keys)));
}

TEST_CASE("atomic: atomic and plain filters merge in both directions", "[threads]") {
  const auto keys = test::member_digests(300);
  const FilterSpec spec{.capacity = 300, .bits_per_key = 10, .num_hashes = 7};
  const auto whole = serial_filter<StandardFilter>(spec, keys);
  auto plain = serial_filter<StandardFilter>(spec, std::span(keys).first(200));
  auto atomic = serial_filter<AtomicStandardFilter>(spec, std::span(keys).subspan(150));
  const auto plain_before = plain;
  plain.merge(atomic);
  CHECK(plain == whole);
  atomic.merge(plain_before);
  CHECK(same_bits(atomic, whole));
}

// The thread sanitizer reports a data race in the following test case. The atomic form exists
// because of this race (variants/standard/README.md).
TEST_CASE("plain: inserts by two threads are a data race", "[.race]") {
  const auto keys = test::member_digests(1'000);
  StandardFilter filter(FilterSpec{.capacity = 1'000, .bits_per_key = 10, .num_hashes = 7});
  test::run_together(2, [&](unsigned t) { insert_parts(filter, keys, 2, t); });
}

}  // namespace bloometry
