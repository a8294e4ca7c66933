#include "core/engine/batch.hpp"

#include <memory>
#include <span>
#include <vector>

#include "core/engine/batch_lookup.hpp"
#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {
namespace {

/// A lookup whose answers are the bits of the key: probe i passes if bit i of digest.lo is set. The
/// state of the lookup has kPadding additional words.
template <std::size_t kPadding>
struct BitsOfTheKey {
  struct State {
    std::uint64_t bits;
    std::array<std::uint64_t, kPadding> padding;
  };

  [[nodiscard]] State start(const Digest& digest) const noexcept { return {digest.lo, {}}; }

  [[nodiscard]] std::uint64_t cell(State& state, unsigned round) const noexcept {
    const std::uint64_t bit = state.bits & 1U;
    state.bits >>= 1U;
    return 2 * round + bit;
  }

  [[nodiscard]] bool passes(State& /*state*/, std::uint64_t cell) const noexcept {
    return cell % 2 != 0;
  }

  void prefetch(std::uint64_t cell) const noexcept { *num_prefetched += cell > 1 ? 1 : 0; }

  std::uint64_t* num_prefetched;
};

/// Returns keys that pass only their first 0 .. 4 probes, and keys that pass all probes.
std::vector<Digest> keys_that_last(std::size_t num_keys) {
  std::vector<Digest> keys;
  for (std::size_t i = 0; i < num_keys; ++i) {
    const std::uint64_t rounds = mix64(i) % 6;
    keys.push_back({rounds == 5 ? ~std::uint64_t{0} : (std::uint64_t{1} << rounds) - 1, 0});
  }
  return keys;
}

}  // namespace

TEST_CASE("batch: the next chunk is prefetched before a chunk is finished", "[core][filter]") {
  const auto keys = test::member_digests(10);
  std::vector<Digest> prefetched;
  std::vector<Digest> finished;
  std::vector<std::size_t> prefetched_before;  // one entry per chunk
  for_each_chunk<4>(
      DigestChunks(keys), [] { return true; },
      [&](const Digest& digest) { prefetched.push_back(digest); },
      [&](auto chunk) {
        prefetched_before.push_back(prefetched.size());
        finished.insert(finished.end(), chunk.begin(), chunk.end());
      });
  CHECK(prefetched_before == std::vector<std::size_t>{8, 10, 10});
  CHECK(prefetched == keys);
  CHECK(finished == keys);
}

TEST_CASE("batch: keys of small filters are not prefetched", "[core][filter]") {
  const auto keys = test::member_digests(10);
  std::size_t num_finished = 0;
  for_each_chunk<4>(
      DigestChunks(keys), [] { return false; },
      [](const Digest& /*digest*/) { FAIL("prefetched a key"); },
      [&](auto chunk) { num_finished += chunk.size(); });
  CHECK(num_finished == 10);
}

TEST_CASE("batch: an empty batch prefetches and finishes nothing", "[core][filter]") {
  for_each_chunk<4>(
      DigestChunks({}), [] { return true; },
      [](const Digest& /*digest*/) { FAIL("prefetched a key"); },
      [](auto /*chunk*/) { FAIL("finished a chunk"); });
}

TEST_CASE("batch: BitAnswers and BoolAnswers receive equal answers for chunks of any size",
          "[core][filter]") {
  for (const std::size_t most : {1, 5, 16, 63, 64}) {
    std::vector<std::uint64_t> words(5, ~std::uint64_t{0});
    const auto bools = std::make_unique<bool[]>(300);
    BitAnswers in_bits(words);
    BoolAnswers in_bools({bools.get(), 300});
    for (std::size_t first = 0; first < 300; first += most) {
      const std::size_t num_keys = std::min(most, 300 - first);
      const std::uint64_t mask = mix64(first) >> (64 - num_keys);
      in_bits(mask, num_keys);
      in_bools(mask, num_keys);
    }
    for (std::size_t i = 0; i < 300; ++i) {
      if (bools[i] != ((words[i / 64] >> (i % 64) & 1U) != 0)) FAIL("answer " << i);
    }
    CHECK(words[4] >> (300 - 256) == 0);
  }
}

TEMPLATE_TEST_CASE("batch_lookup: a key is positive if it passes every round", "[core][filter]",
                   BitsOfTheKey<0>, BitsOfTheKey<1>, BitsOfTheKey<20>) {
  std::uint64_t num_prefetched = 0;
  BatchLookup lookup(TestType{&num_prefetched});
  for (const bool prefetches : {false, true}) {
    for (unsigned num_rounds = 1; num_rounds <= 7; ++num_rounds) {
      for (std::size_t num_keys = 0; num_keys <= kMaxQueryKeys; ++num_keys) {
        const auto keys = keys_that_last(num_keys);
        std::vector<std::uint64_t> masks((num_keys + 63) / 64, ~std::uint64_t{0});
        lookup.run(std::span(keys), num_rounds, prefetches, masks.data());
        for (std::size_t i = 0; i < 64 * masks.size(); ++i) {
          const bool expected = i < num_keys && (keys[i].lo + 1) >> num_rounds != 0;
          const bool all = i < num_keys && keys[i].lo == ~std::uint64_t{0};
          if ((masks[i / 64] >> (i % 64) & 1U) != (expected || all ? 1U : 0U)) {
            FAIL("key " << i << " of " << num_keys << ", " << num_rounds << " rounds");
          }
        }
      }
    }
    if (!prefetches) CHECK(num_prefetched == 0);
  }
  CHECK((num_prefetched > 0) == BatchLookup<TestType>::kByRounds);
}

}  // namespace bloometry
