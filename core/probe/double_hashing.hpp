#pragma once

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Formula by which a hash word gives the stride of an arithmetic progression.
enum class Stride {
  kNonZero,  ///< 1 + word mod (range - 1), which is never 0
  kOdd,      ///< (word | 1) mod range, always coprime to the range if the range is 2^a, a > 0
  kAny,      ///< word mod range; a stride of 0 (probability 1 / range) makes all probes equal
};

/// Returns the stride of an arithmetic progression modulo range.
template <Stride kStride>
constexpr std::uint64_t stride_modulo(std::uint64_t word, std::uint64_t range) noexcept {
  if constexpr (kStride == Stride::kNonZero) return range > 1 ? 1 + word % (range - 1) : 0;
  if constexpr (kStride == Stride::kOdd) return (word | 1U) % range;
  return word % range;
}

/// Returns the fold rule of a stride. The reduction from modulo range to modulo range / d is a ring
/// homomorphism. A sum can therefore be folded if its terms can be folded. The non-zero stride
/// cannot be folded, because the stride is computed modulo range - 1.
template <Stride kStride>
constexpr FoldRule stride_fold_rule() noexcept {
  return kStride == Stride::kNonZero ? FoldRule::kNone : FoldRule::kModulo;
}

/// Returns (a + b) mod range for a, b < range, without overflow at ranges near 2^64.
constexpr std::uint64_t add_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t range) noexcept {
  return a >= range - b ? a - (range - b) : a + b;
}

/// Double hashing modulo range. The index of probe i is h1 + i h2, where h1 is digest.lo mod range
/// and h2 is derived from digest.hi.
///
/// Source: Kirsch, Mitzenmacher (2006), "Less hashing, same performance". The theorem of the paper
/// is asymptotic. At n = 100, k = 14, m = 2048, the rate is 6 to 12 times the rate of model W
/// (theory 1.7). The scheme is for study only.
template <Stride kStride>
class DoubleModuloProbes {
 public:
  static constexpr std::string_view kName = kStride == Stride::kNonZero ? "double_mod"
                                            : kStride == Stride::kOdd   ? "double_mod_odd"
                                                                        : "double_mod_any";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = false;
  static constexpr FoldRule kFold = stride_fold_rule<kStride>();

  constexpr DoubleModuloProbes(const Digest& digest, std::uint64_t range) noexcept
      : index_(digest.lo % range), stride_(stride_modulo<kStride>(digest.hi, range)) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    const std::uint64_t index = index_;
    index_ = add_modulo(index_, stride_, range);
    return index;
  }

 private:
  std::uint64_t index_;
  std::uint64_t stride_;
};

using DoubleModProbes = DoubleModuloProbes<Stride::kNonZero>;
using DoubleModOddProbes = DoubleModuloProbes<Stride::kOdd>;
using DoubleModAnyProbes = DoubleModuloProbes<Stride::kAny>;

/// Double hashing modulo 2^64, followed by fastrange. The word of probe i is h1 + i h2. An odd
/// stride does not improve double hashing modulo 2^64 (theory 1.7).
template <bool kOddStride>
class DoubleFastrangeProbesBase {
 public:
  static constexpr std::string_view kName =
      kOddStride ? "double_fastrange_odd" : "double_fastrange";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = false;
  static constexpr FoldRule kFold = FoldRule::kFastrange;

  constexpr DoubleFastrangeProbesBase(const Digest& digest, std::uint64_t /*range*/) noexcept
      : word_(digest.lo), stride_(kOddStride ? digest.hi | 1U : digest.hi) {}

  constexpr std::uint64_t next_word() noexcept {
    const std::uint64_t word = word_;
    word_ += stride_;
    return word;
  }

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return fastrange(next_word(), range);
  }

 private:
  std::uint64_t word_;
  std::uint64_t stride_;
};

using DoubleFastrangeProbes = DoubleFastrangeProbesBase<false>;
using DoubleFastrangeOddProbes = DoubleFastrangeProbesBase<true>;

static_assert(ProbePolicy<DoubleModProbes> && ProbePolicy<DoubleModOddProbes> &&
              ProbePolicy<DoubleModAnyProbes>);
static_assert(WordProbePolicy<DoubleFastrangeProbes> && WordProbePolicy<DoubleFastrangeOddProbes>);

}  // namespace bloometry
