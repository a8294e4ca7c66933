#pragma once

#include <cstdint>
#include <span>

#include "core/probe/double_hashing.hpp"
#include "core/statistics/draws.hpp"
#include "core/theory/modulo_scheme.hpp"

/// Index schemes that compute the indices of a key from a few random words, such as double hashing.
/// Each class draws the words of a key, computes its indices, and changes the words so that indices
/// take given values (coincidences.hpp).
namespace bloometry::theory {

/// The change of the step after index i: none, by i + 1, or by a random word of the key.
enum class Change { kNone, kCubic, kRandom };

/// a + i b (mod m) with residues a and b, plus a fixed cubic term or c i (i-1) / 2: the study
/// schemes of core/probe.
template <Stride kStride, Change kChange>
class ResidueSums : public TwoWordScheme<ResidueSums<kStride, kChange>> {
  using Base = TwoWordScheme<ResidueSums>;

 public:
  using Base::Base;
  static constexpr bool kHasDistinctIndices = kChange == Change::kNone;

  [[nodiscard]] KeyWords draw(Draws& draws) const noexcept {
    const std::uint64_t m = this->num_bits();
    return {draws.next(m), stride_modulo<kStride>(random_word(draws), m), draws.next(m), 0};
  }

  void indices(const KeyWords& words, std::span<std::uint64_t> out) const noexcept {
    const std::uint64_t m = this->num_bits();
    std::uint64_t at = words[0];
    std::uint64_t step = words[1];
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = at;
      at = add_modulo(at, step, m);
      if constexpr (kChange == Change::kCubic) step = add_modulo(step, (i + 1) % m, m);
      if constexpr (kChange == Change::kRandom) step = add_modulo(step, words[2], m);
    }
  }

  [[nodiscard]] std::uint64_t index(const KeyWords& words, unsigned i) const noexcept {
    const std::uint64_t m = this->num_bits();
    const std::uint64_t sum = add_modulo(words[0], multiply_modulo(i % m, words[1], m), m);
    if constexpr (kChange == Change::kNone) return sum;
    const std::uint64_t j = i;
    if constexpr (kChange == Change::kCubic) {
      return i == 0 ? sum : add_modulo(sum, (j * j * j - j) / 6 % m, m);
    }
    return i == 0 ? sum : add_modulo(sum, multiply_modulo(j * (j - 1) / 2 % m, words[2], m), m);
  }

  void add(KeyWords& words, unsigned word, std::uint64_t x) const noexcept {
    words[word] = add_modulo(words[word], x, this->num_bits());
  }

  /// Returns 0 for strides that the scheme does not have.
  [[nodiscard]] double density(const KeyWords& words) const noexcept {
    const auto m = static_cast<double>(this->num_bits());
    if constexpr (kStride == Stride::kNonZero) return words[1] == 0 ? 0 : m / (m - 1);
    if constexpr (kStride == Stride::kOdd) {
      if (this->num_bits() % 2 == 0) return words[1] % 2 == 0 ? 0 : 2;
    }
    return 1;
  }
};

/// ((a + i b) mod 2^kWordBits) mod m with 64-bit words: RedisBloom (64), Guava's MITZ_64 and Jedis
/// (63).
template <unsigned kWordBits>
class WrappedSums : public TwoWordScheme<WrappedSums<kWordBits>> {
  using Base = TwoWordScheme<WrappedSums>;

 public:
  using Base::Base;
  static constexpr bool kHasDistinctIndices = true;

  [[nodiscard]] static KeyWords draw(Draws& draws) noexcept {
    return {random_word(draws), random_word(draws), 0, 0};
  }

  [[nodiscard]] std::uint64_t index(const KeyWords& words, unsigned i) const noexcept {
    return ((words[0] + i * words[1]) & kMask) % this->num_bits();
  }

  static void add(KeyWords& words, unsigned word, std::uint64_t x) noexcept { words[word] += x; }

 private:
  static constexpr std::uint64_t kMask = ~std::uint64_t{0} >> (64 - kWordBits);
};

/// Guava's MITZ_32: c = a + (i+1) b modulo 2^32; a sum with the top bit has all bits inverted; then
/// modulo m.
class FoldedSums : public TwoWordScheme<FoldedSums> {
 public:
  using TwoWordScheme::TwoWordScheme;
  static constexpr bool kHasDistinctIndices = true;

  [[nodiscard]] static SumTerms terms(unsigned i) noexcept { return {0, 1, i + std::int64_t{1}}; }

  [[nodiscard]] static KeyWords draw(Draws& draws) noexcept {
    return {draws.next(kRange), draws.next(kRange), 0, 0};
  }

  [[nodiscard]] static int sign(const KeyWords& words, unsigned i) noexcept {
    return (sum(words, i) >> 31U) != 0 ? -1 : 1;
  }

  [[nodiscard]] std::uint64_t index(const KeyWords& words, unsigned i) const noexcept {
    const std::uint32_t c = sum(words, i);
    return ((c >> 31U) != 0 ? ~c : c) % num_bits();
  }

  static void add(KeyWords& words, unsigned word, std::uint64_t x) noexcept {
    words[word] = (words[word] + x) % kRange;
  }

 private:
  static constexpr std::uint64_t kRange = std::uint64_t{1} << 32U;

  static std::uint32_t sum(const KeyWords& words, unsigned i) noexcept {
    return static_cast<std::uint32_t>(words[0] + (i + 1) * words[1]);
  }
};

/// bits-and-blooms/bloom: index i is (h[i mod 2] + i h[2 + ((i + i mod 2) mod 4) / 2] mod 2^64) mod
/// m with four words per key.
class FourWordSums : public ModuloScheme<FourWordSums> {
 public:
  using ModuloScheme::ModuloScheme;
  static constexpr bool kHasDistinctIndices = false;

  [[nodiscard]] static SumTerms terms(unsigned i) noexcept {
    return {i % 2, 2 + ((i + i % 2) % 4) / 2, i};
  }

  [[nodiscard]] static KeyWords draw(Draws& draws) noexcept {
    return {random_word(draws), random_word(draws), random_word(draws), random_word(draws)};
  }

  [[nodiscard]] std::uint64_t index(const KeyWords& words, unsigned i) const noexcept {
    const SumTerms of = terms(i);
    return (words[of.start] + i * words[of.stride]) % num_bits();
  }

  [[nodiscard]] static int sign(const KeyWords&, unsigned) noexcept { return 1; }

  static void add(KeyWords& words, unsigned word, std::uint64_t x) noexcept { words[word] += x; }

  [[nodiscard]] static double density(const KeyWords&) noexcept { return 1; }
};

/// fastrange of a + i b modulo 2^64: the study scheme double_fastrange. Its odd form and its
/// enhanced form have the same indices (theory 1.7).
class FastrangeSums {
 public:
  static constexpr bool kHasDistinctIndices = true;

  FastrangeSums(std::uint64_t num_bits, unsigned num_hashes)
      : num_bits_(num_bits), num_hashes_(num_hashes) {}

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_bits_; }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] static KeyWords draw(Draws& draws) noexcept {
    return {random_word(draws), random_word(draws), 0, 0};
  }

  void indices(const KeyWords& words, std::span<std::uint64_t> out) const noexcept {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = index(words, i);
  }

  [[nodiscard]] std::uint64_t index(const KeyWords& words, unsigned i) const noexcept {
    return fastrange(words[0] + i * words[1], num_bits_);
  }

  /// As ModuloScheme::meet.
  double meet(KeyWords& words, unsigned i, unsigned j, Draws& draws) const {
    const std::uint64_t cell = index(words, i);
    const std::uint64_t at = words[0] + i * words[1];
    through(words, i, at, j, word_in(cell, draws), draws);
    return index(words, j) == cell ? 1.0 / static_cast<double>(num_bits_) : 0;
  }

  /// As ModuloScheme::place.
  double place(KeyWords& words, unsigned i, std::uint64_t first, unsigned j, std::uint64_t second,
               Draws& draws) const {
    through(words, i, word_in(first, draws), j, word_in(second, draws), draws);
    const double per_index = 1.0 / static_cast<double>(num_bits_);
    return index(words, i) == first && index(words, j) == second ? per_index * per_index : 0;
  }

 private:
  /// Returns a random word whose fastrange is `cell`.
  [[nodiscard]] std::uint64_t word_in(std::uint64_t cell, Draws& draws) const noexcept;

  /// Sets the words so that the sums of indices i and j are `at` and `to`, with a random number of
  /// turns between them.
  void through(KeyWords& words, unsigned i, std::uint64_t at, unsigned j, std::uint64_t to,
               Draws& draws) const noexcept;

  std::uint64_t num_bits_;
  unsigned num_hashes_;
};

/// DCSO/bloom: h is multiplied by a constant factor modulo 2^64 before each index, and the index is
/// h mod m. (The program then reduces h modulo 2^64 - 59, which changes h with probability 2^-58.)
/// With m = 2^e q, q odd, the low e bits of h follow the factor. The residues modulo q are as good
/// as independent, because each product loses its high bits. Words: the low bits of h, the seed of
/// the residues, two chosen residues, and their places plus 1.
class FactorIndices {
 public:
  static constexpr bool kHasDistinctIndices = false;

  FactorIndices(std::uint64_t num_bits, unsigned num_hashes)
      : num_bits_(num_bits),
        num_hashes_(num_hashes),
        low_(num_bits & (0 - num_bits)),
        odd_(num_bits / low_) {}

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_bits_; }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] KeyWords draw(Draws& draws) const noexcept {
    return {draws.next(low_), random_word(draws), 0, 0};
  }

  void indices(const KeyWords& words, std::span<std::uint64_t> out) const noexcept;

  /// As ModuloScheme::meet.
  double meet(KeyWords& words, unsigned i, unsigned j, Draws& draws) const noexcept;

  /// As ModuloScheme::place.
  double place(KeyWords& words, unsigned i, std::uint64_t first, unsigned j, std::uint64_t second,
               Draws& draws) const noexcept;

 private:
  /// Returns the residues modulo 2^e and modulo q as one number, which stands for the index.
  [[nodiscard]] std::uint64_t joined(std::uint64_t low, std::uint64_t residue) const noexcept {
    return low * odd_ + residue;
  }

  [[nodiscard]] std::uint64_t residue(const KeyWords& words, unsigned i) const noexcept;

  /// Returns x times factor^i modulo 2^e.
  [[nodiscard]] std::uint64_t after(std::uint64_t x, unsigned i) const noexcept;

  std::uint64_t num_bits_;
  unsigned num_hashes_;
  std::uint64_t low_;
  std::uint64_t odd_;
};

}  // namespace bloometry::theory
