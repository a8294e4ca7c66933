// Compares the kernels for integer keys with the plain kernels for the digests of the same keys.
// For every instruction set of this machine, both kinds of kernels must return the same answers and
// set the same bits.

#include "core/integer_batch/integer_kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/block/block_kernels.hpp"
#include "core/hash/aes_hasher.hpp"
#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/store/memory.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

struct SplitBlocks {
  static constexpr std::size_t kWordsPerBlock = 4;
  static constexpr auto digest_kernels = split_block_kernels;
  static constexpr auto integer_kernels = split_block_integer_kernels;
};

struct LaneBlocks {
  static constexpr std::size_t kWordsPerBlock = 8;
  static constexpr auto digest_kernels = lane_kernels;
  static constexpr auto integer_kernels = lane_integer_kernels;
};

template <unsigned kBlockBits, unsigned kNumHashes>
struct BitFieldBlocks {
  static constexpr std::size_t kWordsPerBlock = kBlockBits / 64;
  static constexpr BitFieldShape kShape = {kBlockBits, kNumHashes};

  /// Functions of the blocked filter that have the same parameters as the members of
  /// IntegerKernels.
  struct Integers {
    Isa isa;

    void contains(const std::uint64_t* words, std::uint64_t num_blocks, const IntegerHash& hash,
                  const std::uint64_t* keys, std::size_t num_keys, bool prefetches,
                  std::uint64_t* masks) const {
      contains_integers(isa, kShape, words, num_blocks, hash, keys, num_keys, prefetches, masks);
    }

    std::uint64_t insert(std::uint64_t* words, std::uint64_t num_blocks, const IntegerHash& hash,
                         const std::uint64_t* keys, std::size_t num_keys, bool prefetches) const {
      return insert_integers(isa, kShape, words, num_blocks, hash, keys, num_keys, prefetches);
    }
  };

  static const BlockKernels& digest_kernels(Isa isa) {
    return bit_field_kernels(isa, kBlockBits, kNumHashes);
  }

  static Integers integer_kernels(Isa isa, IntegerHash::Kind /*kind*/,
                                  std::uint64_t /*num_blocks*/) {
    return {isa};
  }
};

/// Batch lengths near 64 (the number of keys per chunk) and near 4 and 8 (the numbers of keys per
/// vector).
constexpr std::size_t kLengths[] = {0,  1,  3,   4,   5,   7,   8,   9,   31,  63,
                                    64, 65, 127, 128, 129, 192, 200, 300, 1000};

/// Returns num_keys keys. Every fifth key repeats the key three positions earlier.
std::vector<std::uint64_t> keys_from(std::uint64_t first, std::size_t num_keys) {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < num_keys; ++i) {
    keys.push_back(i % 5 == 4 ? keys[i - 3] : mix64(first + i));
  }
  return keys;
}

/// A filter that processes keys one by one with the kernels of Isa::kBaseline.
template <class Blocks, class H>
class BlockArray {
 public:
  BlockArray(std::uint64_t num_blocks, const H& hasher)
      : words_(num_blocks * Blocks::kWordsPerBlock), num_blocks_(num_blocks), hasher_(hasher) {}

  bool insert(std::uint64_t key) {
    return kernels_.insert(words().data(), num_blocks_, hasher_(IntegerKey(key).view()));
  }

  [[nodiscard]] bool contains(std::uint64_t key) {
    return kernels_.contains(words().data(), num_blocks_, hasher_(IntegerKey(key).view()));
  }

  [[nodiscard]] std::span<std::uint64_t> words() { return {words_.data(), words_.size()}; }

 private:
  AlignedWords words_;
  std::uint64_t num_blocks_;
  H hasher_;
  BlockKernels kernels_ = Blocks::digest_kernels(Isa::kBaseline);
};

/// Returns whether inserts in batches of all lengths give the same count and the same bits as
/// single inserts.
template <class Blocks, class H>
bool inserts_alike(Isa isa, std::uint64_t num_blocks, bool prefetches) {
  const H hasher(mix64(num_blocks));
  const auto& kernels = Blocks::integer_kernels(isa, hasher.integer_hash().kind, num_blocks);
  BlockArray<Blocks, H> batch(num_blocks, hasher);
  BlockArray<Blocks, H> single(num_blocks, hasher);
  bool alike = true;
  for (const std::size_t length : kLengths) {
    const auto keys = keys_from(1'000'000 * length, length);
    std::uint64_t num_new = 0;
    for (const std::uint64_t key : keys) num_new += single.insert(key) ? 1 : 0;
    alike &= num_new == kernels.insert(batch.words().data(), num_blocks, hasher.integer_hash(),
                                       keys.data(), keys.size(), prefetches);
    alike &= std::ranges::equal(batch.words(), single.words());
  }
  return alike;
}

/// Returns whether queries in batches of all lengths give the answers of single queries. Members
/// and other keys alternate in each batch. The bits after the last answer must be 0, and the words
/// after these bits must be unchanged.
template <class Blocks, class H>
bool answers_alike(Isa isa, std::uint64_t num_blocks, bool prefetches) {
  const H hasher(mix64(num_blocks));
  const auto& kernels = Blocks::integer_kernels(isa, hasher.integer_hash().kind, num_blocks);
  BlockArray<Blocks, H> filter(num_blocks, hasher);
  const std::uint64_t num_members = std::min<std::uint64_t>(8 * num_blocks, 500);
  for (std::uint64_t i = 0; i < num_members; ++i) filter.insert(mix64(2 * i));
  bool alike = true;
  for (const std::size_t length : kLengths) {
    const auto keys = keys_from(0, length);
    const std::size_t num_masks = (length + 63) / 64;
    std::vector<std::uint64_t> expected(num_masks + 1);
    for (std::size_t i = 0; i < length; ++i) {
      expected[i / 64] |= std::uint64_t{filter.contains(keys[i])} << (i % 64);
    }
    std::vector<std::uint64_t> masks(num_masks + 1, ~std::uint64_t{0});
    expected.back() = masks.back();
    kernels.contains(filter.words().data(), num_blocks, hasher.integer_hash(), keys.data(),
                     keys.size(), prefetches, masks.data());
    alike &= masks == expected;
  }
  return alike;
}

template <class Blocks, class H>
void check_all_alike() {
  for (const Isa isa : supported_isas()) {
    for (const bool prefetches : {false, true}) {
      for (const std::uint64_t num_blocks : {1, 37, 1000, 1'000'003}) {
        CAPTURE(isa_name(isa), H::kName, prefetches, num_blocks);
        if (num_blocks <= 1000) CHECK(inserts_alike<Blocks, H>(isa, num_blocks, prefetches));
        CHECK(answers_alike<Blocks, H>(isa, num_blocks, prefetches));
      }
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("integer_kernels: every instruction set gives the results of single keys",
                   "[core][block]", SplitMix64Xxh3Hasher, FoldedMultiplyHasher, AesHasher,
                   Xxh3Hasher) {
  check_all_alike<SplitBlocks, TestType>();
  check_all_alike<LaneBlocks, TestType>();
  check_all_alike<BitFieldBlocks<512, 1>, TestType>();
  check_all_alike<BitFieldBlocks<512, 7>, TestType>();
  check_all_alike<BitFieldBlocks<512, 8>, TestType>();
  check_all_alike<BitFieldBlocks<256, 16>, TestType>();
}

TEMPLATE_TEST_CASE("integer_kernels: every instruction set computes the hasher's digests",
                   "[core][block]", SplitMix64Xxh3Hasher, FoldedMultiplyHasher, AesHasher,
                   Xxh3Hasher) {
  for (const Isa isa : supported_isas()) {
    for (const std::size_t length : kLengths) {
      CAPTURE(isa_name(isa), length);
      const TestType hasher(mix64(length));
      const auto keys = keys_from(7, length);
      const Digest untouched = {1, 2};
      std::vector<Digest> expected;
      for (const std::uint64_t key : keys) expected.push_back(hasher(IntegerKey(key).view()));
      expected.push_back(untouched);
      std::vector<Digest> digests(length + 1, untouched);
      hash_integers(isa, hasher.integer_hash(), keys.data(), length, digests.data());
      CHECK(digests == expected);
    }
  }
}

TEST_CASE("integer_kernels: 2^32 blocks and more use the baseline kernels", "[core][block]") {
  constexpr auto kMix = IntegerHash::Kind::kMix64;
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 32U;
  const Isa last = supported_isas().back();
  CHECK(lane_integer_kernels(last, kMix, kTooMany) ==
        lane_integer_kernels(Isa::kBaseline, kMix, 1));
  CHECK((lane_integer_kernels(last, kMix, kTooMany - 1) ==
         lane_integer_kernels(Isa::kBaseline, kMix, 1)) == (last == Isa::kBaseline));
}

}  // namespace bloometry
