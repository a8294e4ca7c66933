#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/probe/double_hashing.hpp"
#include "core/statistics/draws.hpp"

/// Arithmetic of schemes whose indices are sums of a few random words per key, reduced modulo m
/// (few_word_schemes.hpp).
namespace bloometry::theory {

using KeyWords = std::array<std::uint64_t, 6>;

/// The words of an index: index i is reduced(start + multiplier * stride).
struct SumTerms {
  unsigned start = 0;
  unsigned stride = 1;
  std::int64_t multiplier = 0;
};

inline std::uint64_t random_word(Draws& draws) noexcept {
  return (draws.next(std::uint64_t{1} << 32U) << 32U) | draws.next(std::uint64_t{1} << 32U);
}

/// Returns (a - b) mod m for a, b < m.
constexpr std::uint64_t subtract_modulo(std::uint64_t a, std::uint64_t b,
                                        std::uint64_t m) noexcept {
  return a >= b ? a - b : a + (m - b);
}

/// Returns a * b mod m.
std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t m) noexcept;

/// A random solution x in [0, m) of coefficient * x = target (mod m).
struct Congruence {
  std::uint64_t solution = 0;
  std::uint64_t num_solutions = 0;  ///< 0 if there is none
};

/// Returns one of the solutions of a congruence, each with the same probability.
Congruence solve_congruence(std::int64_t coefficient, std::uint64_t target, std::uint64_t m,
                            Draws& draws);

/// Common code of schemes that reduce a sum modulo m. `Sums` has the functions `draw`, `index`,
/// `terms`, `sign`, `add` and `density`:
///
///     terms(i)              the words of index i
///     sign(words, i)        -1 if index i falls when its sum grows, otherwise 1
///     add(words, w, x)      adds x, in [0, m), to word w
///     density(words)        probability density of the words, relative to uniform words
template <class Sums>
class ModuloScheme {
 public:
  ModuloScheme(std::uint64_t num_bits, unsigned num_hashes)
      : num_bits_(num_bits), num_hashes_(num_hashes) {}

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_bits_; }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  void indices(const KeyWords& words, std::span<std::uint64_t> out) const noexcept {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = self().index(words, i);
  }

  /// Changes the words so that indices i and j are equal. Returns the weight of the new words: the
  /// mean of weight * f(words) over drawn words is E[f; index i = index j].
  double meet(KeyWords& words, unsigned i, unsigned j, Draws& draws) const {
    const SumTerms a = self().terms(i);
    const SumTerms b = self().terms(j);
    const std::uint64_t gap =
        subtract_modulo(self().index(words, i), self().index(words, j), num_bits_);
    // Both indices have the same start unless the scheme has two starts.
    const bool is_start = a.start != b.start;
    const std::int64_t coefficient =
        is_start ? self().sign(words, j)
                 : self().sign(words, j) * b.multiplier -
                       (a.stride == b.stride ? self().sign(words, i) * a.multiplier : 0);
    const unsigned word = is_start ? b.start : b.stride;
    const Congruence step = solve_congruence(coefficient, gap, num_bits_, draws);
    if (step.num_solutions == 0) return 0;
    self().add(words, word, step.solution);
    if (self().index(words, i) != self().index(words, j)) return 0;
    return static_cast<double>(step.num_solutions) / static_cast<double>(num_bits_) *
           self().density(words);
  }

  /// Changes the words so that indices i and j (i != j) equal `first` and `second`. Returns the
  /// weight of the new words, as meet() does.
  double place(KeyWords& words, unsigned i, std::uint64_t first, unsigned j, std::uint64_t second,
               Draws& draws) const {
    SumTerms a = self().terms(i);
    SumTerms b = self().terms(j);
    const double per_index = 1.0 / static_cast<double>(num_bits_);
    double weight = per_index * per_index;
    if (a.start == b.start) {
      const std::uint64_t need_a = needed(words, i, first);
      const std::uint64_t need_b = needed(words, j, second);
      // The stride of the index with the larger multiplier changes.
      const bool is_shared = a.stride == b.stride;
      const bool changes_a = !is_shared && b.multiplier == 0;
      const std::int64_t coefficient = is_shared   ? b.multiplier - a.multiplier
                                       : changes_a ? a.multiplier
                                                   : b.multiplier;
      const std::uint64_t gap = changes_a ? subtract_modulo(need_a, need_b, num_bits_)
                                          : subtract_modulo(need_b, need_a, num_bits_);
      const Congruence step = solve_congruence(coefficient, gap, num_bits_, draws);
      if (step.num_solutions == 0) return 0;
      self().add(words, changes_a ? a.stride : b.stride, step.solution);
      weight *= static_cast<double>(step.num_solutions);
    } else {
      self().add(words, b.start, needed(words, j, second));
    }
    self().add(words, a.start, needed(words, i, first));
    if (self().index(words, i) != first || self().index(words, j) != second) return 0;
    return weight * self().density(words);
  }

 private:
  [[nodiscard]] const Sums& self() const noexcept { return static_cast<const Sums&>(*this); }

  /// Returns the number to be added to the sum of index i so that the index becomes `target`.
  [[nodiscard]] std::uint64_t needed(const KeyWords& words, unsigned i,
                                     std::uint64_t target) const noexcept {
    const std::uint64_t up = subtract_modulo(target, self().index(words, i), num_bits_);
    return self().sign(words, i) > 0 ? up : subtract_modulo(0, up, num_bits_);
  }

  std::uint64_t num_bits_;
  unsigned num_hashes_;
};

/// Members that most schemes share: two words, index i = reduced(start + i stride).
template <class Sums>
class TwoWordScheme : public ModuloScheme<Sums> {
 public:
  using ModuloScheme<Sums>::ModuloScheme;

  [[nodiscard]] static SumTerms terms(unsigned i) noexcept { return {0, 1, i}; }

  [[nodiscard]] static int sign(const KeyWords&, unsigned) noexcept { return 1; }

  [[nodiscard]] static double density(const KeyWords&) noexcept { return 1; }
};

}  // namespace bloometry::theory
