// Tests that the kernels of every instruction set of this machine return the same answers and set
// the same bits as a plain filter with the same probes.

#include "core/block/block_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "core/probe/bit_fields.hpp"
#include "core/store/memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMaxDigests = 64;

/// The block of a key and the key's bits, computed from the definition of the scheme.
struct KeyBits {
  std::uint64_t block;
  std::vector<std::uint64_t> indices;
};

KeyBits bit_field_bits(const Digest& digest, std::uint64_t num_blocks, unsigned block_bits,
                       unsigned num_hashes) {
  KeyBits bits{fastrange(digest.hi, num_blocks), {}};
  BitFieldProbes probes(digest, block_bits);
  for (unsigned i = 0; i < num_hashes; ++i) bits.indices.push_back(probes.next(block_bits));
  return bits;
}

KeyBits split_block_bits(const Digest& digest, std::uint64_t num_blocks) {
  constexpr std::array<std::uint32_t, 8> kSalts = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                                   0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};
  KeyBits bits{((digest.lo >> 32U) * num_blocks) >> 32U, {}};
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    const std::uint32_t product = static_cast<std::uint32_t>(digest.lo) * kSalts.at(lane);
    bits.indices.push_back(32 * lane + (product >> 27U));
  }
  return bits;
}

KeyBits lane_bits(const Digest& digest, std::uint64_t num_blocks) {
  KeyBits bits{fastrange(digest.hi, num_blocks), {}};
  std::uint64_t fields = digest.lo;
  for (std::uint64_t lane = 0; lane < 8; ++lane, fields /= 64) {
    bits.indices.push_back(64 * lane + fields % 64);
  }
  return bits;
}

/// A filter with one vector element per bit.
class PlainFilter {
 public:
  PlainFilter(std::uint64_t num_blocks, unsigned block_bits)
      : block_bits_(block_bits), bits_(num_blocks * block_bits, false) {}

  bool contains(const KeyBits& key) const {
    bool all = true;
    for (const std::uint64_t i : key.indices) all = all && bits_.at(key.block * block_bits_ + i);
    return all;
  }

  bool insert(const KeyBits& key) {
    const bool is_new = !contains(key);
    for (const std::uint64_t i : key.indices) bits_.at(key.block * block_bits_ + i) = true;
    return is_new;
  }

  unsigned num_ones(std::uint64_t block) const {
    unsigned ones = 0;
    for (unsigned i = 0; i < block_bits_; ++i) ones += bits_.at(block * block_bits_ + i) ? 1 : 0;
    return ones;
  }

  bool has_bits_of(const AlignedWords& words) const {
    for (std::uint64_t i = 0; i < bits_.size(); ++i) {
      if (((words.data()[i / 64] >> (i % 64)) & 1U) != static_cast<std::uint64_t>(bits_[i])) {
        return false;
      }
    }
    return true;
  }

 private:
  unsigned block_bits_;
  std::vector<bool> bits_;
};

/// A kernel under test, with a plain filter of the same keys.
template <class BitsOf>
class Pair {
 public:
  Pair(const BlockKernels& kernels, std::uint64_t num_blocks, unsigned block_bits, BitsOf bits_of)
      : kernels_(kernels),
        num_blocks_(num_blocks),
        words_(num_blocks * block_bits / 64),
        plain_(num_blocks, block_bits),
        bits_of_(bits_of) {}

  bool agree_on_single(const Digest& digest) {
    const KeyBits bits = bits_of_(digest, num_blocks_);
    const bool before =
        kernels_.contains(words_.data(), num_blocks_, digest) == plain_.contains(bits);
    const bool insert = kernels_.insert(words_.data(), num_blocks_, digest) == plain_.insert(bits);
    return before && insert && kernels_.contains(words_.data(), num_blocks_, digest);
  }

  bool agree_on_counted(const Digest& digest) {
    const KeyBits bits = bits_of_(digest, num_blocks_);
    const unsigned before = plain_.num_ones(bits.block);
    plain_.insert(bits);
    return kernels_.insert_counted(words_.data(), num_blocks_, digest) ==
           OnesInBlock{before, plain_.num_ones(bits.block)};
  }

  bool agree_on_chunk(std::span<const Digest> chunk) {
    std::uint64_t contained = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const bool answer = plain_.contains(bits_of_(chunk[i], num_blocks_));
      contained |= static_cast<std::uint64_t>(answer) << i;
    }
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const bool answer = plain_.insert(bits_of_(chunk[i], num_blocks_));
      changed |= static_cast<std::uint64_t>(answer) << i;
    }
    return kernels_.contains_mask(words_.data(), num_blocks_, chunk.data(), chunk.size()) ==
               contained &&
           kernels_.insert_mask(words_.data(), num_blocks_, chunk.data(), chunk.size()) == changed;
  }

  bool has_equal_bits() const { return plain_.has_bits_of(words_); }

 private:
  const BlockKernels& kernels_;
  std::uint64_t num_blocks_;
  AlignedWords words_;
  PlainFilter plain_;
  BitsOf bits_of_;
};

/// A filter that stores each counter as a separate number. An insert increments the counter at each
/// distinct position of the key once.
class PlainCounters {
 public:
  PlainCounters(std::uint64_t num_blocks, unsigned num_hashes)
      : num_blocks_(num_blocks), num_hashes_(num_hashes), counters_(num_blocks * 128) {}

  bool contains(const Digest& digest) const {
    const std::set<std::uint64_t> all = positions(digest);
    return std::all_of(all.begin(), all.end(), [&](auto i) { return counters_.at(i) > 0; });
  }

  bool insert(const Digest& digest) {
    const bool is_new = !contains(digest);
    for (const std::uint64_t i : positions(digest)) counters_.at(i) += counters_.at(i) < 15 ? 1 : 0;
    return is_new;
  }

  bool erase(const Digest& digest, std::uint64_t& num_skipped) {
    if (!contains(digest)) return false;
    for (const std::uint64_t i : positions(digest)) {
      num_skipped += counters_.at(i) < 15 ? 0 : 1;
      counters_.at(i) -= counters_.at(i) < 15 ? 1 : 0;
    }
    return true;
  }

  bool has_counters_of(const AlignedWords& words) const {
    for (std::uint64_t i = 0; i < counters_.size(); ++i) {
      if (((words.data()[i / 16] >> (i % 16 * 4)) & 15U) != counters_[i]) return false;
    }
    return true;
  }

 private:
  std::set<std::uint64_t> positions(const Digest& digest) const {
    const KeyBits bits = bit_field_bits(digest, num_blocks_, 128, num_hashes_);
    std::set<std::uint64_t> all;
    for (const std::uint64_t index : bits.indices) all.insert(bits.block * 128 + index);
    return all;
  }

  std::uint64_t num_blocks_;
  unsigned num_hashes_;
  std::vector<unsigned> counters_;
};

/// Inserts and erases keys alternately, in chunks of 0 .. 64 keys and singly, in two blocks. Half
/// of the keys have mostly equal fields, so that probes of a key coincide and some counters reach
/// 15. Every fourth key of a chunk is replaced by another key before the chunk is erased.
void check_counting(const CountingKernels& counting, unsigned num_hashes) {
  constexpr std::uint64_t kNumBlocks = 2;
  AlignedWords words(kNumBlocks * 8);
  PlainCounters plain(kNumBlocks, num_hashes);
  std::mt19937_64 random(test::test_seed());
  std::uint64_t num_skipped = 0;
  std::uint64_t num_skipped_plain = 0;
  bool agree = true;
  std::vector<Digest> keys;
  const auto mask_of = [&](const auto& call) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) mask |= std::uint64_t{call(keys[i])} << i;
    return mask;
  };
  for (std::size_t size = 0; size <= kMaxDigests; ++size) {
    keys.resize(size);
    for (Digest& key : keys) {
      key = {random(), random()};
      if (random() % 2 == 0) key.lo &= random() & random() & random();
    }
    const auto contains = [&] {
      return counting.kernels.contains_mask(words.data(), kNumBlocks, keys.data(), size) ==
             mask_of([&](const Digest& key) { return plain.contains(key); });
    };
    agree = agree && contains();
    agree = agree && counting.kernels.insert_mask(words.data(), kNumBlocks, keys.data(), size) ==
                         mask_of([&](const Digest& key) { return plain.insert(key); });
    for (std::size_t i = 0; i < size; i += 4) keys[i] = {random(), random()};
    agree = agree && contains();
    agree = agree &&
            counting.erase_mask(words.data(), kNumBlocks, keys.data(), size, num_skipped) ==
                mask_of([&](const Digest& key) { return plain.erase(key, num_skipped_plain); });
    if (size == 0) continue;
    const Digest& key = keys.front();
    agree =
        agree && counting.kernels.contains(words.data(), kNumBlocks, key) == plain.contains(key);
    for (std::size_t i = 0; i < 2; ++i) {
      agree = agree && counting.kernels.insert(words.data(), kNumBlocks, key) == plain.insert(key);
    }
    agree = agree && counting.erase(words.data(), kNumBlocks, key, num_skipped) ==
                         plain.erase(key, num_skipped_plain);
  }
  CHECK(agree);
  CHECK(num_skipped == num_skipped_plain);
  CHECK(num_skipped > 0);
  CHECK(plain.has_counters_of(words));
}

std::vector<Digest> random_digests(std::size_t count) {
  std::mt19937_64 random(test::test_seed());
  std::vector<Digest> digests(count);
  for (Digest& digest : digests) digest = {random(), random()};
  return digests;
}

/// Tests single keys, then chunks of 0 .. 64 keys. The chunks begin at every position of a cache
/// line. Half of the keys in the chunks are members. The filter has only 3 blocks, so that the
/// blocks fill up and the answers differ.
template <class BitsOf>
void check_agreement(const BlockKernels& kernels, unsigned block_bits, BitsOf bits_of) {
  constexpr std::uint64_t kNumBlocks = 3;
  const std::vector<Digest> digests = random_digests(2000);
  Pair single(kernels, kNumBlocks, block_bits, bits_of);
  Pair counted(kernels, kNumBlocks, block_bits, bits_of);
  Pair chunks(kernels, kNumBlocks, block_bits, bits_of);
  bool agree = true;
  for (std::size_t i = 0; i < 150; ++i) agree = agree && single.agree_on_single(digests[i]);
  for (std::size_t i = 0; i < 150; ++i) agree = agree && counted.agree_on_counted(digests[i]);
  for (std::size_t size = 0; size <= kMaxDigests; ++size) {
    agree = agree && chunks.agree_on_chunk(std::span(digests).subspan(11 * size + size / 2, size));
  }
  CHECK(agree);
  CHECK(single.has_equal_bits());
  CHECK(counted.has_equal_bits());
  CHECK(chunks.has_equal_bits());
}

}  // namespace

TEST_CASE(
    "block_kernels: bit fields are correct for each instruction set, block size and number of "
    "hashes",
    "[core][block]") {
  for (const Isa isa : supported_isas()) {
    for (const unsigned block_bits : {256U, 512U}) {
      for (unsigned k = 1; k <= kMaxBlockHashes; ++k) {
        CAPTURE(isa_name(isa), block_bits, k, test::test_seed());
        check_agreement(bit_field_kernels(isa, block_bits, k), block_bits,
                        [=](const Digest& digest, std::uint64_t num_blocks) {
                          return bit_field_bits(digest, num_blocks, block_bits, k);
                        });
      }
    }
  }
}

TEST_CASE("block_kernels: split blocks are correct for each instruction set", "[core][block]") {
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa), test::test_seed());
    check_agreement(split_block_kernels(isa), 256, split_block_bits);
  }
}

TEST_CASE("block_kernels: lanes are correct for each instruction set", "[core][block]") {
  for (const Isa isa : supported_isas()) {
    CAPTURE(isa_name(isa), test::test_seed());
    check_agreement(lane_kernels(isa), 512, lane_bits);
  }
}

TEST_CASE("block_kernels: counters are correct for each instruction set and number of hashes",
          "[core][block]") {
  for (const Isa isa : supported_isas()) {
    for (unsigned k = 1; k <= kMaxBlockHashes; ++k) {
      CAPTURE(isa_name(isa), k, test::test_seed());
      check_counting(counting_kernels(isa, k), k);
    }
  }
}

TEST_CASE("block_kernels: kernels write the last block and nothing behind it", "[core][block]") {
  // The memory of AlignedWords ends with the last block, so the address sanitizer reports accesses
  // beyond the last block.
  constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
  constexpr std::uint64_t kNumBlocks = 1000;
  for (const Isa isa : supported_isas()) {
    AlignedWords words(kNumBlocks * 8);
    bit_field_kernels(isa, 512, 7).insert(words.data(), kNumBlocks, {1, kAllOnes});
    CHECK(words.data()[kNumBlocks * 8 - 8] != 0);
    AlignedWords lanes(kNumBlocks * 4);
    AlignedWords counters(kNumBlocks * 8);
    counting_kernels(isa, 7).kernels.insert(counters.data(), kNumBlocks, {1, kAllOnes});
    CHECK(counters.data()[kNumBlocks * 8 - 8] != 0);
    split_block_kernels(isa).insert(lanes.data(), kNumBlocks, {kAllOnes, 0});
    CHECK(lanes.data()[kNumBlocks * 4 - 1] != 0);
    AlignedWords lines(kNumBlocks * 8);
    lane_kernels(isa).insert(lines.data(), kNumBlocks, {1, kAllOnes});
    CHECK(lines.data()[kNumBlocks * 8 - 1] != 0);
  }
}

}  // namespace bloometry
