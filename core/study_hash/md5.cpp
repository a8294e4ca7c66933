#include "core/study_hash/md5.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

#include "core/hash/little_endian.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kBlockBytes = 64;

/// Table T of RFC 1321, section 3.4; element i is floor(2^32 |sin(i + 1)|).
constexpr std::array<std::uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

/// Left rotations of the steps of each round. A round uses its four rotations four times.
constexpr std::array<std::array<int, 4>, 4> kRotations = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

using State = std::array<std::uint32_t, 4>;

/// Functions F, G, H and I of RFC 1321, section 3.4.
template <int kRound>
constexpr std::uint32_t mixed(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept {
  if constexpr (kRound == 0) return (x & y) | (~x & z);
  if constexpr (kRound == 1) return (x & z) | (y & ~z);
  if constexpr (kRound == 2) return x ^ y ^ z;
  return y ^ (x | ~z);
}

/// Returns the index of the block's word that step number `step` of a round uses.
template <int kRound>
constexpr std::size_t word_of(std::size_t step) noexcept {
  constexpr std::array<std::size_t, 4> kFirst = {0, 1, 5, 0};
  constexpr std::array<std::size_t, 4> kStride = {1, 5, 3, 7};
  return (kFirst[kRound] + kStride[kRound] * step) % 16;
}

using Block = std::array<std::uint32_t, 16>;

/// Computes the step [abcd k s i] of the RFC: `a = b + ((a + F(b, c, d) + X[k] + T[i]) <<< s)`.
template <int kRound>
void run_step(std::uint32_t& a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
              const Block& words, std::size_t step) noexcept {
  const std::uint32_t sum =
      a + mixed<kRound>(b, c, d) + words[word_of<kRound>(step)] + kSines[16 * kRound + step];
  a = b + std::rotl(sum, kRotations[kRound][step % 4]);
}

template <int kRound>
void run_round(State& state, const Block& words) noexcept {
  auto& [a, b, c, d] = state;
  for (std::size_t step = 0; step < 16; step += 4) {
    run_step<kRound>(a, b, c, d, words, step);
    run_step<kRound>(d, a, b, c, words, step + 1);
    run_step<kRound>(c, d, a, b, words, step + 2);
    run_step<kRound>(b, c, d, a, words, step + 3);
  }
}

void absorb_block(State& state, const char* block) noexcept {
  Block words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = load_little_endian<std::uint32_t>(block + 4 * i);
  }
  const State before = state;
  run_round<0>(state, words);
  run_round<1>(state, words);
  run_round<2>(state, words);
  run_round<3>(state, words);
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += before[i];
}

}  // namespace

std::array<std::uint32_t, 4> md5(KeyView message) noexcept {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const char* bytes = message.data();
  std::size_t left = message.size();
  for (; left >= kBlockBytes; left -= kBlockBytes, bytes += kBlockBytes) {
    absorb_block(state, bytes);
  }
  // The last one or two blocks contain the rest of the message, a 1 bit, zeros, and the number of
  // message bits as eight bytes.
  std::array<char, 2 * kBlockBytes> end{};
  if (left > 0) std::memcpy(end.data(), bytes, left);
  end[left] = static_cast<char>(0x80);
  const std::size_t size = left + 1 + 8 <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
  const std::uint64_t num_bits = std::uint64_t{message.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) end[size - 8 + i] = static_cast<char>(num_bits >> (8 * i));
  for (std::size_t block = 0; block < size; block += kBlockBytes) {
    absorb_block(state, end.data() + block);
  }
  return state;
}

}  // namespace bloometry
