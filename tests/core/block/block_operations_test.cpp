// Compares the functions that a filter of blocks calls, including the inlined bodies, with the
// kernels in plain C++.

#include "core/block/block_operations.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "core/store/memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumBlocks = 40;

/// Inserts half of the keys and queries all keys, through the functions and the kernels. Returns
/// whether functions and kernels always give the same results.
template <class Operations>
bool agrees_with_baseline(const Operations& operations, const BlockKernels& baseline) {
  AlignedWords words(kNumBlocks * 8);
  AlignedWords expected(kNumBlocks * 8);
  const std::span<std::uint64_t> all(words.data(), words.size());
  std::mt19937_64 random(test::test_seed());
  bool agree = true;
  for (int i = 0; i < 2000; ++i) {
    const Digest digest{random(), random()};
    agree = agree && operations.contains(all, kNumBlocks, digest) ==
                         baseline.contains(expected.data(), kNumBlocks, digest);
    if (i % 2 == 0) continue;
    agree = agree && operations.insert(all, kNumBlocks, digest) ==
                         baseline.insert(expected.data(), kNumBlocks, digest);
  }
  return agree && std::equal(all.begin(), all.end(), expected.data());
}

}  // namespace

TEST_CASE("block_operations: the active instruction set gives the results of plain C++",
          "[core][block]") {
  for (const unsigned block_bits : {256U, 512U}) {
    for (unsigned k = 1; k <= kMaxBlockHashes; ++k) {
      CAPTURE(block_bits, k, isa_name(active_isa()), test::test_seed());
      CHECK(agrees_with_baseline(BitFieldOperations(block_bits, k),
                                 bit_field_kernels(Isa::kBaseline, block_bits, k)));
    }
  }
  CHECK(agrees_with_baseline(LaneOperations(), lane_kernels(Isa::kBaseline)));
  CHECK(agrees_with_baseline(SplitBlockOperations(), split_block_kernels(Isa::kBaseline)));
}

}  // namespace bloometry
