#include "core/lane_stage/lane_stage.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block/block_kernels.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/store/memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kBlockWords = 8;

/// Stages of different sizes. Each key of the chunk is inserted into at most one stage.
class Stages {
 public:
  Stages(std::size_t num_stages, std::span<const Digest> keys, bool prefetches) {
    const BlockKernels& plain = lane_kernels(Isa::kBaseline);
    for (std::size_t s = 0; s < num_stages; ++s) {
      const std::uint64_t num_blocks = s % 2 == 0 ? 1 + s : 1000 * s;
      words_.emplace_back(num_blocks * kBlockWords);
      const StageFactors factors = stage_factors(s);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (mix64(i) % (3 * num_stages) != s) continue;
        plain.insert(words_.back().data(), num_blocks, stage_digest(keys[i], factors));
      }
      views_.push_back({words_.back().data(), num_blocks, factors, prefetches});
    }
  }

  /// Returns whether one of the stages contains the key, according to the kernels for single keys.
  [[nodiscard]] bool contains(const Digest& key) const {
    return std::ranges::any_of(views_, [&](const LaneStage& stage) {
      return lane_kernels(Isa::kBaseline)
          .contains(stage.words, stage.num_blocks, stage_digest(key, stage.factors));
    });
  }

  [[nodiscard]] const std::vector<LaneStage>& views() const { return views_; }

 private:
  std::vector<AlignedWords> words_;
  std::vector<LaneStage> views_;
};

/// Returns whether the kernel sets exactly the bits of the keys that some stage contains. The
/// kernel must not clear set bits and must not change the word after the last mask.
bool finds_all(Isa isa, const Stages& stages, std::span<const Digest> keys) {
  std::vector<std::uint64_t> expected((keys.size() + 63) / 64 + 1, 0);
  expected.back() = 0x1234;
  std::vector<std::uint64_t> masks = expected;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if (i % 7 == 3) masks[i / 64] |= bit;
    if (i % 7 == 3 || stages.contains(keys[i])) expected[i / 64] |= bit;
  }
  lane_stage_kernels(isa, 1).contains(stages.views().data(), stages.views().size(), keys.data(),
                                      keys.size(), masks.data());
  return masks == expected;
}

std::uint64_t product(const std::uint64_t* block) {
  std::uint64_t result = 1;
  for (std::size_t i = 0; i < kBlockWords; ++i) {
    result *= static_cast<std::uint64_t>(std::popcount(block[i]));
  }
  return result;
}

std::uint64_t num_ones(const std::uint64_t* block) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < kBlockWords; ++i) {
    result += static_cast<std::uint64_t>(std::popcount(block[i]));
  }
  return result;
}

}  // namespace

TEST_CASE("lane_stage: stage digests equal those computed in Python", "[core][block]") {
  // The expected digests were computed with Python's integers.
  const Digest key{0x0123456789abcdef, 0xfedcba9876543210};
  CHECK(stage_digest(key, stage_factors(0)) == Digest{0x41124d3f334f, 0x4a1765ef02248dd4});
  CHECK(stage_digest(key, stage_factors(1)) == Digest{0x55d57a94e8f6, 0x19eca55601a0f676});
  CHECK(stage_digest(key, stage_factors(16)) == Digest{0x3df462755719, 0xed9d725f01b1ad84});
}

TEST_CASE("lane_stage: the factors of any two stages differ in their high and low bits",
          "[core][block]") {
  const auto difference = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
  for (std::uint64_t i = 0; i < 256; ++i) {
    for (std::uint64_t j = 0; j < i; ++j) {
      CAPTURE(i, j);
      const std::uint64_t lo = difference(stage_factors(i).lo, stage_factors(j).lo);
      const std::uint64_t hi = difference(stage_factors(i).hi, stage_factors(j).hi);
      CHECK(std::countr_zero(lo) < 8);
      CHECK(std::countr_zero(hi) < 8);
      if (i < 64) CHECK(std::bit_width(std::min(lo, hi)) > 20);
    }
  }
}

TEST_CASE("lane_stage: every instruction set finds the keys of all stages", "[core][block]") {
  const auto keys = test::member_digests(LaneStageKernels::kMostKeys);
  for (const bool prefetches : {false, true}) {
    for (const std::size_t num_stages : {1, 2, 5, 17}) {
      const Stages stages(num_stages, keys, prefetches);
      for (const Isa isa : supported_isas()) {
        for (std::size_t length = 0; length <= keys.size(); length += length < 70 ? 1 : 31) {
          CAPTURE(prefetches, num_stages, isa_name(isa), length);
          CHECK(finds_all(isa, stages, std::span(keys).first(length)));
        }
        CHECK(finds_all(isa, stages, keys));
      }
    }
  }
}

TEST_CASE("lane_stage: every instruction set inserts and counts", "[core][block]") {
  constexpr std::uint64_t kNumBlocks = 5;
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa));
    AlignedWords words(kNumBlocks * kBlockWords);
    AlignedWords expected(kNumBlocks * kBlockWords);
    for (const Digest& key : test::member_digests(1500)) {  // until the blocks are full
      std::uint64_t* const block = expected.data() + fastrange(key.hi, kNumBlocks) * kBlockWords;
      const std::uint64_t before = product(block);
      const std::uint64_t ones = num_ones(block);
      lane_kernels(Isa::kBaseline).insert(expected.data(), kNumBlocks, key);
      const LaneInsert change{before, product(block),
                              static_cast<unsigned>(num_ones(block) - ones)};
      REQUIRE(lane_stage_kernels(isa, kNumBlocks).insert(words.data(), kNumBlocks, key) == change);
      REQUIRE(std::equal(words.data(), words.data() + kNumBlocks * kBlockWords, expected.data()));
    }
    CHECK(num_ones(words.data()) > 500);
  }
}

TEST_CASE("lane_stage: 2^32 blocks and more use the baseline kernels", "[core][block]") {
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 32U;
  const Isa last = supported_isas().back();
  CHECK(lane_stage_kernels(last, kTooMany) == lane_stage_kernels(Isa::kBaseline, 1));
  CHECK((lane_stage_kernels(last, kTooMany - 1) == lane_stage_kernels(Isa::kBaseline, 1)) ==
        (last == Isa::kBaseline));
}

}  // namespace bloometry
