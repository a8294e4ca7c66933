#include "core/hash/narrow_digest.hpp"

#include <cstdint>
#include <set>

#include "core/probe/all_probes.hpp"
#include "core/probe/increment_words.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumHashes = 1000;

/// Returns the number of distinct words that `word_of` computes from the digests of the hashes 0,
/// 1, ...
template <class WordOf>
std::size_t num_words(WordOf word_of) {
  std::set<std::uint64_t> words;
  for (std::uint64_t hash = 0; hash < kNumHashes; ++hash) {
    words.insert(word_of(digest_of_64_bits(hash << 32U)));
  }
  return words.size();
}

}  // namespace

TEST_CASE("narrow_digest: hi does not cancel lo in increments or probes", "[core][hash]") {
  // If the second word were mix64(lo + sqrt2), every first increment would be 0. If the second word
  // were mix64(lo + i golden), the second word would equal the i-th independent probe.
  CHECK(num_words([](const Digest& digest) { return digest.hi; }) == kNumHashes);
  CHECK(num_words([](const Digest& digest) {
          return IncrementWords(digest).next(~std::uint64_t{0});
        }) > kNumHashes - 5);
  for (int skipped = 0; skipped < 64; ++skipped) {
    CAPTURE(skipped);
    CHECK(num_words([&](const Digest& digest) {
            IndependentProbes probes(digest, 1);
            for (int i = 0; i < skipped; ++i) probes.next_word();
            return probes.next_word();
          }) > kNumHashes - 5);
  }
}

TEST_CASE("narrow_digest: 32-bit hashes vary the high bits of both words", "[core][hash]") {
  std::set<std::uint64_t> first;
  std::set<std::uint64_t> second;
  for (std::uint32_t hash = 0; hash < kNumHashes; ++hash) {
    first.insert(digest_of_32_bits(hash).lo >> 32U);
    second.insert(digest_of_32_bits(hash).hi >> 32U);
  }
  // Among 1000 words of 32 random bits, a word is repeated in 1 of 8600 cases, and two words in 1
  // of 10^8 cases.
  CHECK(first.size() >= kNumHashes - 1);
  CHECK(second.size() >= kNumHashes - 1);
}

TEST_CASE("narrow_digest: only equal 32-bit hashes give equal digests", "[core][hash]") {
  static_assert(digest_of_32_bits(7) == digest_of_32_bits(7));
  CHECK_FALSE(digest_of_32_bits(7) == digest_of_32_bits(8));
  CHECK_FALSE(digest_of_32_bits(0).lo == 0);
}

}  // namespace bloometry
