#include "core/block/block_layout.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "core/probe/all_probes.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("block_layout: high bits of an index select the word, low bits the cell in it",
          "[core][block]") {
  const BlockLayout<1> line(10, 512);
  CHECK(line.words_per_block() == 8);
  CHECK(line.word_of(0b011'101101) == 0b011);
  CHECK(line.shift_of(0b011'101101) == 0b101101);
  const BlockLayout<1> half(10, 256);
  CHECK(half.words_per_block() == 4);
  CHECK(half.word_of(0b11'101101) == 0b11);
  CHECK(half.shift_of(0b11'101101) == 0b101101);
  const BlockLayout<4> counters(10, 128);
  CHECK(counters.words_per_block() == 8);
  CHECK(counters.word_of(0b011'1011) == 0b011);
  CHECK(counters.shift_of(0b011'1011) == 0b1011 * 4);
}

TEST_CASE("block_layout: every index has its own word and shift", "[core][block]") {
  const auto num_places = [](const auto& layout) {
    std::set<std::pair<std::uint64_t, unsigned>> places;
    for (std::uint64_t f = 0; f < layout.block_cells(); ++f) {
      CHECK(layout.word_of(f) < layout.words_per_block());
      CHECK(layout.shift_of(f) < 64);
      places.emplace(layout.word_of(f), layout.shift_of(f));
    }
    return places.size();
  };
  CHECK(num_places(BlockLayout<1>(1, 512)) == 512);
  CHECK(num_places(BlockLayout<1>(1, 256)) == 256);
  CHECK(num_places(BlockLayout<4>(1, 128)) == 128);
}

TEST_CASE("block_layout: first_word maps the range of hash words onto the blocks in order",
          "[core][block]") {
  const BlockLayout<1> layout(3, 512);
  CHECK(layout.first_word(0) == 0);
  CHECK(layout.first_word(~std::uint64_t{0} / 3) == 0);
  CHECK(layout.first_word(~std::uint64_t{0} / 3 + 1) == 8);
  CHECK(layout.first_word(~std::uint64_t{0}) == 16);
}

TEST_CASE("block_layout: the block comes from hi unless the scheme uses hi for its positions",
          "[core][block]") {
  constexpr Digest kDigest{0x0123456789abcdef, 0xfedcba9876543210};
  CHECK(block_word<BitFieldProbes>(kDigest) == kDigest.hi);
  CHECK(block_word<RemixProbes>(kDigest) == kDigest.hi);
  const std::uint64_t mixed = remix(kDigest, std::uint64_t{1} << 33U).hi;
  CHECK(block_word<IndependentProbes>(kDigest) == mixed);
  CHECK(block_word<DistinctProbes>(kDigest) == mixed);
  CHECK(block_word<DoubleModOddProbes>(kDigest) == mixed);
  CHECK(block_word<DoubleFastrangeProbes>(kDigest) == mixed);
  CHECK(block_word<TripleModProbes>(kDigest) == mixed);
}

TEMPLATE_LIST_TEST_CASE(
    "block_layout: schemes that leave hi to the block give equal positions for any hi",
    "[core][block]", BlockProbes) {
  if (kUsesDigestHi<TestType>) return;
  TestType one({0x0123456789abcdef, 1}, 512);
  TestType other({0x0123456789abcdef, ~std::uint64_t{0}}, 512);
  for (int i = 0; i < 64; ++i) CHECK(one.next(512) == other.next(512));
}

}  // namespace bloometry
