#include "core/rates/block_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr unsigned kWordBits = 8;
constexpr double kNumWords = 1 << kWordBits;

/// Returns the number of blocks for each number of words per block, by a count of all words.
std::map<unsigned, unsigned> blocks_by_words(unsigned num_blocks) {
  std::vector<unsigned> num_words(num_blocks);
  for (unsigned word = 0; word < kNumWords; ++word) ++num_words[word * num_blocks >> kWordBits];
  std::map<unsigned, unsigned> counts;
  for (const unsigned words : num_words) ++counts[words];
  return counts;
}

}  // namespace

TEST_CASE("block words: the groups and the collisions equal the count of all words",
          "[core][rates]") {
  for (unsigned z = 1; z <= 300; ++z) {
    CAPTURE(z);
    const BlockWords words(kWordBits, z);
    std::map<unsigned, unsigned> counts = blocks_by_words(z);
    double collision = 0;
    for (const auto& [num_words, num_blocks] : counts) {
      collision += num_blocks * (num_words / kNumWords) * (num_words / kNumWords);
    }
    CHECK(std::exp2(-words.collision_bits()) == Approx(collision).epsilon(1e-15));
    counts.erase(0);  // no key falls into these blocks
    const std::vector<BlockGroup> groups = words.groups();
    REQUIRE(groups.size() == counts.size());
    auto counted = counts.begin();
    for (const BlockGroup& group : groups) {
      const auto& [num_words, num_blocks] = *counted++;
      CHECK(group.num_blocks == num_blocks);
      CHECK(group.inverse_probability == kNumWords / num_words);
      CHECK(group.share == num_blocks * num_words / kNumWords);
    }
  }
}

TEST_CASE("block words: a power of two blocks are equal", "[core][rates]") {
  for (const unsigned bits : {0U, 1U, 20U, 31U}) {
    const std::uint64_t num_blocks = std::uint64_t{1} << bits;
    for (const double word_bits : {32.0, 64.0}) {
      const BlockWords words(word_bits, num_blocks);
      CHECK(words.collision_bits() == bits);
      REQUIRE(words.groups().size() == 1);
      CHECK(words.groups().front().inverse_probability == std::exp2(bits));
    }
  }
  CHECK(equal_blocks(48).front().inverse_probability == 48);
  CHECK(equal_blocks(48).front().share == 1);
}

TEST_CASE("block words: one key meets the block of a query with the probability of a collision",
          "[core][rates]") {
  for (const std::uint64_t num_blocks : {1U, 3U, 100U, 300U}) {
    const BlockWords words(kWordBits, num_blocks);
    const double mean = mean_over_blocks(words.groups(), 1, [](std::uint64_t num_keys) {
      return static_cast<double>(std::min<std::uint64_t>(num_keys, 1));
    });
    CHECK(mean == Approx(std::exp2(-words.collision_bits())).epsilon(1e-14));
  }
}

}  // namespace bloometry
