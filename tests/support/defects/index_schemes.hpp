#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "tests/support/defects/subjects.hpp"

/// Functions that compute indices from a key: correct functions, and functions with published
/// defects. All functions start from a good hash, so that a test measures only the defect.
namespace bloometry::test {

using Indices = std::vector<std::uint64_t>;
using IndexScheme = std::function<Indices(const std::string& key, const Sizes& sizes)>;

inline Digest digest_of(const std::string& key) {
  return Xxh3Hasher(0)(std::string_view(key));
}

/// Returns the correct indices, computed from a new word for each probe.
inline Indices independent_indices(const Digest& digest, const Sizes& sizes) {
  Indices indices;
  std::uint64_t word = digest.lo;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    word += digest.hi | 1U;
    indices.push_back(fastrange(mix64(word), sizes.num_cells));
  }
  return indices;
}

inline Indices honest(const std::string& key, const Sizes& sizes) {
  return independent_indices(digest_of(key), sizes);
}

/// Derives all indices from 32 bits of the hash. With probability n / 2^32, a query has the same 32
/// bits as a member and is therefore positive, for any m and k.
inline Indices hash_of_32_bits(const std::string& key, const Sizes& sizes) {
  const std::uint64_t hash = digest_of(key).lo >> 32U;
  return independent_indices({mix64(hash), mix64(~hash)}, sizes);
}

/// Splits a 32-bit hash and combines the halves in 16 bits. The indices have at most 65,536
/// different values for any m.
inline Indices halves_of_16_bits(const std::string& key, const Sizes& sizes) {
  const std::uint64_t hash = digest_of(key).lo;
  auto combined = static_cast<std::uint16_t>(hash);
  const auto step = static_cast<std::uint16_t>(hash >> 16U);
  Indices indices;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    indices.push_back(combined * sizes.num_cells >> 16U);
    combined = static_cast<std::uint16_t>(combined + step);
  }
  return indices;
}

/// Computes x mod m, where x has the fewest bits that reach m. The low cells are hit twice as often
/// as the other cells. The published case is m = 3 * 2^29 with 31 bits. For smaller m = 3 * 2^i,
/// the shares of the cells are the same.
inline Indices modulo_bias(const std::string& key, const Sizes& sizes) {
  const Digest digest = digest_of(key);
  const auto width = static_cast<unsigned>(std::bit_width(sizes.num_cells));
  Indices indices;
  std::uint64_t word = digest.lo;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    word += digest.hi | 1U;
    indices.push_back((mix64(word) >> (64 - width)) % sizes.num_cells);
  }
  return indices;
}

/// Computes a + i b mod m, where b = 0 mod m is allowed. For about one key in m, all indices of the
/// key are equal.
inline Indices zero_stride(const std::string& key, const Sizes& sizes) {
  const Digest digest = digest_of(key);
  const std::uint64_t start = digest.lo % sizes.num_cells;
  const std::uint64_t stride = digest.hi % sizes.num_cells;
  Indices indices;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    indices.push_back((start + i * stride) % sizes.num_cells);
  }
  return indices;
}

/// Uses one 32-bit value as the start, and the same value rotated by 17 bits as the stride.
inline Indices one_value_for_both_hashes(const std::string& key, const Sizes& sizes) {
  auto hash = static_cast<std::uint32_t>(digest_of(key).lo);
  const std::uint32_t stride = std::rotr(hash, 17);
  Indices indices;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    indices.push_back(hash % sizes.num_cells);
    hash += stride;
  }
  return indices;
}

/// Selects a word of the array by the high bits of a value, and a bit of the word by the low bits.
/// If there are more positions than values, the high bits and the low bits overlap. The defect was
/// published for values of 32 bits and filters of 4 gigabits. The function uses values of 18 bits,
/// so that filters of a few hundred thousand bits show the defect.
inline Indices block_shares_bits(const std::string& key, const Sizes& sizes) {
  constexpr unsigned kWidth = 18;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kWidth) - 1;
  const Digest digest = digest_of(key);
  const std::uint64_t num_words = sizes.num_cells / 64;
  std::uint64_t value = digest.lo & kMask;
  Indices indices;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    indices.push_back(64 * (value * num_words >> kWidth) + (value & 63U));
    value = (value + digest.hi) & kMask;
  }
  return indices;
}

/// Computes k from m / n in integer arithmetic. At 2.9 bits per key, the function rounds 2 ln 2 to
/// k = 1, although 2.9 ln 2 gives k = 2.
inline Indices integer_division(const std::string& key, const Sizes& sizes) {
  const auto bits_per_key = static_cast<double>(sizes.num_cells / sizes.num_keys);
  const double num_hashes = bits_per_key * 0.6931471805599453 + 0.5;
  return independent_indices(
      digest_of(key), {.num_keys = sizes.num_keys,
                       .num_cells = sizes.num_cells,
                       .num_hashes = num_hashes < 2 ? 1U : static_cast<unsigned>(num_hashes)});
}

/// Computes hashes of `width` bits mod m. At m = 9586 and 16 bits, some cells are hit 7/6 times as
/// often as other cells. At 14 bits, some cells are hit twice as often.
template <unsigned width>
Indices narrow_modulo(const std::string& key, const Sizes& sizes) {
  const Digest digest = digest_of(key);
  Indices indices;
  std::uint64_t word = digest.lo;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    word += digest.hi | 1U;
    indices.push_back((mix64(word) >> (64U - width)) % sizes.num_cells);
  }
  return indices;
}

/// Computes a + i b mod m with b from 1 to m - 1. The stride b is never 0, but all k indices depend
/// on only two hashes (theory 1.7).
inline Indices double_hashing(const std::string& key, const Sizes& sizes) {
  const Digest digest = digest_of(key);
  const std::uint64_t start = fastrange(digest.lo, sizes.num_cells);
  const std::uint64_t stride = 1 + fastrange(digest.hi, sizes.num_cells - 1);
  Indices indices;
  for (unsigned i = 0; i < sizes.num_hashes; ++i) {
    indices.push_back((start + i * stride) % sizes.num_cells);
  }
  return indices;
}

/// Returns the block of a key with the given hash.
using BlockChoice = std::uint64_t (*)(std::uint64_t hash, std::uint64_t num_blocks);

inline std::uint64_t any_block(std::uint64_t hash, std::uint64_t num_blocks) {
  return fastrange(hash, num_blocks);
}

/// Chooses among nine tenths of the blocks.
inline std::uint64_t nine_tenths_of_blocks(std::uint64_t hash, std::uint64_t num_blocks) {
  return fastrange(hash, num_blocks * 9 / 10);
}

/// Chooses among half of the blocks, because the function sets the highest bit of the hash.
inline std::uint64_t upper_half_of_blocks(std::uint64_t hash, std::uint64_t num_blocks) {
  return fastrange(hash | std::uint64_t{1} << 63U, num_blocks);
}

/// Puts all probes in one block of block_cells cells. The block and the positions in the block have
/// separate hashes.
template <unsigned block_cells, BlockChoice choose = any_block, int more_probes = 0>
Indices in_one_block(const std::string& key, const Sizes& sizes) {
  const Digest digest = digest_of(key);
  const std::uint64_t block = choose(mix64(digest.hi), sizes.num_cells / block_cells);
  Sizes inside = sizes;
  inside.num_cells = block_cells;
  inside.num_hashes += static_cast<unsigned>(more_probes);
  Indices indices = independent_indices(digest, inside);
  for (std::uint64_t& index : indices) index += block * block_cells;
  return indices;
}

/// Omits the last probe of one key in ten.
inline Indices block_probe_dropped_for_a_tenth(const std::string& key, const Sizes& sizes) {
  Indices indices = in_one_block<512>(key, sizes);
  if (mix64(digest_of(key).lo) % 10 == 0) indices.pop_back();
  return indices;
}

/// Computes indices by the Parquet specification, in a block of 8 lanes of 32 bits. The high half
/// of the hash selects the block. The low half of the hash times an odd salt selects the bit of
/// each lane.
template <BlockChoice choose = any_block, unsigned num_lanes = 8>
Indices in_lanes(const std::string& key, const Sizes& sizes) {
  constexpr std::uint32_t kSalts[] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                      0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  const std::uint64_t hash = digest_of(key).lo;
  const auto low = static_cast<std::uint32_t>(hash);
  const std::uint64_t block = choose(hash & 0xffffffff00000000U, sizes.num_cells / 256);
  Indices indices;
  for (unsigned lane = 0; lane < num_lanes; ++lane) {
    indices.push_back(block * 256 + lane * 32 + ((low * kSalts[lane]) >> 27U));
  }
  return indices;
}

/// Computes FNV-1a over signed or unsigned `char`, and computes the indices from mix64 of the
/// result.
inline Indices of_char(const std::string& key, const Sizes& sizes, bool is_signed) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : key) {
    const auto byte = is_signed ? static_cast<std::uint64_t>(static_cast<signed char>(c))
                                : static_cast<std::uint64_t>(static_cast<unsigned char>(c));
    hash = (hash ^ byte) * 0x100000001b3U;
  }
  return independent_indices({mix64(hash), mix64(~hash)}, sizes);
}

}  // namespace bloometry::test
