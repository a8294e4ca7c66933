// The schemes of core/theory/few_word_schemes.hpp, from which rates are computed, must have the
// indices of the programs.

#include "core/theory/few_word_schemes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/murmur64a_hasher.hpp"
#include "core/study_hash/fnv1_hasher.hpp"
#include "tests/support/catch.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_probes.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {
namespace {

using theory::KeyWords;

template <class Scheme>
std::vector<std::uint64_t> indices_of(const Scheme& scheme, const KeyWords& words) {
  std::vector<std::uint64_t> indices(scheme.num_hashes());
  scheme.indices(words, indices);
  return indices;
}

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

/// Returns the set bits of a bit array.
std::vector<std::uint64_t> set_bits(const BitArray<>& bits) {
  std::vector<std::uint64_t> indices;
  for (std::uint64_t i = 0; i < bits.size(); ++i) {
    if (bits.test(i)) indices.push_back(i);
  }
  return indices;
}

std::vector<std::string> some_keys() {
  std::vector<std::string> keys;
  for (int i = 0; i < 50; ++i) keys.push_back("key:" + std::to_string(i));
  return keys;
}

}  // namespace

TEST_CASE("few_word_schemes: the indices are those of both strategies of Guava", "[foreign]") {
  const GuavaFilter mitz_64(28800, 20);
  const GuavaFilter mitz_32(28800, 20, GuavaStrategy::kMurmur128Mitz32);
  for (const std::string& key : some_keys()) {
    const Digest digest = murmur3_x64_128(key, 0);
    CHECK(mitz_64.indices(key) ==
          indices_of(theory::WrappedSums<63>(28800, 20), {digest.lo, digest.hi, 0, 0}));
    CHECK(mitz_32.indices(key) == indices_of(theory::FoldedSums(28800, 20),
                                             {digest.lo & 0xffffffffU, digest.lo >> 32U, 0, 0}));
  }
}

TEST_CASE("few_word_schemes: the indices are those of Jedis", "[foreign]") {
  for (const std::string& key : some_keys()) {
    const Digest digest = murmur3_x64_128(key, 0);
    RedisProbes probes(RedisScheme::kJedis, key, 9585);
    for (const std::uint64_t index :
         indices_of(theory::WrappedSums<63>(9585, 7), {digest.lo, digest.hi, 0, 0})) {
      CHECK(index == probes.next());
    }
  }
}

TEST_CASE("few_word_schemes: the indices are those of bits-and-blooms/bloom", "[foreign]") {
  const GoBitsAndBloomsFilter filter(9587, 11);
  for (const std::string& key : some_keys()) {
    const Digest first = murmur3_x64_128(key, 0);
    const Digest second = murmur3_x64_128(key + '\x01', 0);
    CHECK(filter.indices(key) ==
          indices_of(theory::FourWordSums(9587, 11), {first.lo, first.hi, second.lo, second.hi}));
  }
}

TEST_CASE("few_word_schemes: the indices are those of RedisBloom", "[foreign]") {
  for (const std::string& key : some_keys()) {
    RedisBloomFilter filter = RedisBloomFilter::for_capacity(1000, 0.001);
    filter.insert(key);
    const RedisBloomShape& shape = filter.links().front().shape();
    const std::uint64_t start = murmur64a(key, 0xc6a4a7935bd1e995U);
    const KeyWords words{start, murmur64a(key, start), 0, 0};
    CHECK(set_bits(filter.links().front().bits()) ==
          sorted(indices_of(theory::WrappedSums<64>(shape.num_bits, shape.num_hashes), words)));
  }
}

TEST_CASE("few_word_schemes: the low bits of the indices are those of DCSO/bloom", "[foreign]") {
  // The residues modulo the odd part of m are independent in the scheme, so only the residues
  // modulo 2^e = 64 are compared.
  const std::uint64_t low = 64;
  const std::uint64_t m = low * 151;
  for (const std::string& key : some_keys()) {
    DcsoFilter filter(
        {.capacity = 100, .false_positive_rate = 0.01, .num_hashes = 7, .num_bits = m});
    filter.insert(key);
    std::vector<std::uint64_t> expected;
    for (const std::uint64_t index : set_bits(filter.bits())) expected.push_back(index % low);
    // The program multiplies by the factor before the first index.
    const std::uint64_t first = fnv1_64(key) % 18446744073709551557U * 18446744073709550147U;
    std::vector<std::uint64_t> found;
    for (const std::uint64_t index :
         indices_of(theory::FactorIndices(m, 7), {first % low, 1, 0, 0})) {
      found.push_back(index / 151);
    }
    CHECK(sorted(found) == sorted(expected));
  }
}

}  // namespace bloometry
