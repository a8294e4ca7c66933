// Tests that the parts of a filter (positions, increments, stages) use independent bits of a
// digest. Every bit of a word of one part must equal every bit of a word of another part for half
// of the keys. Each of 53 assertions covers 4096 pairs of bits. The false-alarm probability is in
// false_alarm.hpp.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "core/block/block_layout.hpp"
#include "core/hash/mix.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/increment_words.hpp"
#include "core/probe/split_block_bits.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/split_block/parquet_salts.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kNumWords = 64 * 1024;

/// One 64-bit word per key, stored by bit position: slices_[i] contains bit i of the words of all
/// keys.
class BitSlices {
 public:
  template <class WordOf>
  BitSlices(const std::vector<Digest>& keys, WordOf word_of) {
    for (auto& slice : slices_) slice.assign(kNumWords / 64, 0);
    for (std::size_t key = 0; key < kNumWords; ++key) {
      const std::uint64_t word = word_of(keys[key]);
      for (unsigned i = 0; i < 64; ++i) slices_[i][key / 64] |= (word >> i & 1U) << (key % 64);
    }
  }

  /// Returns the largest |z| over all pairs of a bit of `a` and a bit of `b`. The value z is the
  /// standardised number of keys for which both bits are equal.
  friend double largest_z(const BitSlices& a, const BitSlices& b) {
    double largest = 0;
    for (const auto& slice_a : a.slices_) {
      for (const auto& slice_b : b.slices_)
        largest = std::max(largest, std::abs(z(slice_a, slice_b)));
    }
    return largest;
  }

 private:
  using Slice = std::vector<std::uint64_t>;

  static double z(const Slice& a, const Slice& b) {
    std::int64_t num_equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) num_equal += std::popcount(~(a[i] ^ b[i]));
    return (2.0 * static_cast<double>(num_equal) - kNumWords) / std::sqrt(double{kNumWords});
  }

  std::array<Slice, 64> slices_;
};

struct Part {
  std::string name;
  std::vector<BitSlices> words;
};

std::uint64_t increment_word(const Digest& key, unsigned index) {
  IncrementWords words(key);
  for (unsigned i = 0; i < index; ++i) words.next(1);
  return words.next(~std::uint64_t{0});
}

/// Returns the words from which each part of a filter is derived. A probe scheme computes positions
/// from the words of its part. The schemes remix and double hashing use lo and hi unchanged.
std::vector<Part> parts_of(const std::vector<Digest>& keys) {
  const auto lo = [](const Digest& key) { return key.lo; };
  const auto hi = [](const Digest& key) { return key.hi; };
  const auto independent = [](const Digest& key) { return IndependentProbes(key, 1).next_word(); };
  const auto increment = [](unsigned index) {
    return [index](const Digest& key) { return increment_word(key, index); };
  };
  // Schemes that do not use hi derive the positions in a block from lo and from this word.
  const auto later_fields = [](const Digest& key) { return BitFieldProbes::word(key.lo, 1); };
  const auto block = [](const Digest& key) { return block_word<IndependentProbes>(key); };
  const auto stage_lo = [](std::uint64_t stage) {
    return [stage](const Digest& key) { return remix(key, stage).lo; };
  };
  const auto stage_hi = [](std::uint64_t stage) {
    return [stage](const Digest& key) { return remix(key, stage).hi; };
  };
  return {{"positions", {{keys, lo}, {keys, hi}, {keys, independent}}},
          {"increments", {{keys, increment(0)}, {keys, increment(3)}}},
          {"later fields", {{keys, later_fields}}},
          {"block", {{keys, block}}},
          {"stage 0", {{keys, stage_lo(0)}, {keys, stage_hi(0)}}},
          {"stage 1", {{keys, stage_lo(1)}, {keys, stage_hi(1)}}}};
}

}  // namespace

TEST_CASE("digest: the parts of a filter use independent bits", "[statistical]") {
  const std::uint64_t seed = test::test_seed();
  const auto parts = parts_of(test::member_digests(kNumWords, seed));
  const double limit = statistics::two_sided_z(test::rejection_threshold() / 4096);
  for (std::size_t a = 0; a < parts.size(); ++a) {
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      for (const BitSlices& word_a : parts[a].words) {
        for (const BitSlices& word_b : parts[b].words) {
          CAPTURE(parts[a].name, parts[b].name, seed);
          CHECK(largest_z(word_a, word_b) < limit);
        }
      }
    }
  }
}

TEST_CASE("digest: block and lanes of a split block use independent bits", "[statistical]") {
  // The block and the lanes use the two halves of one word. Each half is repeated to fill 64 bits,
  // because BitSlices compares 64-bit words.
  const std::uint64_t seed = test::test_seed();
  const auto keys = test::member_digests(kNumWords, seed);
  const BitSlices block(keys, [](const Digest& key) { return (key.lo >> 32U) * 0x100000001U; });
  const double limit = statistics::two_sided_z(test::rejection_threshold() / 4096);
  constexpr auto& kSalts = block::kSalts;
  for (std::size_t lane = 0; lane < std::size(kSalts); lane += 2) {
    const BitSlices lanes(keys, [lane](const Digest& key) {
      const auto low_half = static_cast<std::uint32_t>(key.lo);
      return std::uint64_t{low_half * kSalts[lane]} << 32U | low_half * kSalts[lane + 1];
    });
    CAPTURE(lane, seed);
    CHECK(largest_z(block, lanes) < limit);
  }
}

TEST_CASE("digest: the test of independence detects a shared word", "[statistical]") {
  const auto keys = test::member_digests(kNumWords, test::test_seed());
  const BitSlices lo(keys, [](const Digest& key) { return key.lo; });
  const BitSlices shifted(keys, [](const Digest& key) { return key.lo >> 7U; });
  CHECK(largest_z(lo, shifted) > 100);
}

}  // namespace bloometry
