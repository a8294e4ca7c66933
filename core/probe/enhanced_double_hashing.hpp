#pragma once

#include "core/probe/double_hashing.hpp"

namespace bloometry {

/// Enhanced double hashing modulo range. The index of probe i is `a + i b + (i^3 - i) / 6`, where a
/// is digest.lo and b is derived from digest.hi.
///
/// Source: Dillinger, Manolios (2004), "Bloom filters in probabilistic verification". The cubic
/// term avoids the shifted coincidences of plain double hashing (theory 1.7). At n = 100, k = 14, m
/// = 2048, the rate is still 44 % above the rate of model W (theory 1.7). The scheme is for study
/// only.
template <Stride kStride>
class EnhancedDoubleModuloProbes {
 public:
  static constexpr std::string_view kName =
      kStride == Stride::kOdd ? "enhanced_double_mod_odd" : "enhanced_double_mod";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = false;
  static constexpr FoldRule kFold = stride_fold_rule<kStride>();

  constexpr EnhancedDoubleModuloProbes(const Digest& digest, std::uint64_t range) noexcept
      : index_(digest.lo % range), stride_(stride_modulo<kStride>(digest.hi, range)) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    const std::uint64_t index = index_;
    index_ = add_modulo(index_, stride_, range);
    stride_ = add_modulo(stride_, ++step_ % range, range);
    return index;
  }

 private:
  std::uint64_t index_;
  std::uint64_t stride_;
  std::uint64_t step_ = 0;
};

using EnhancedDoubleModProbes = EnhancedDoubleModuloProbes<Stride::kAny>;
using EnhancedDoubleModOddProbes = EnhancedDoubleModuloProbes<Stride::kOdd>;

/// Enhanced double hashing in 64-bit arithmetic, followed by fastrange. The cubic term is so small
/// compared with 2^64 that fastrange discards its bits. The indices therefore equal those of plain
/// double hashing (theory 1.7).
class EnhancedDoubleFastrangeProbes {
 public:
  static constexpr std::string_view kName = "enhanced_double_fastrange";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = false;
  static constexpr FoldRule kFold = FoldRule::kFastrange;

  constexpr EnhancedDoubleFastrangeProbes(const Digest& digest, std::uint64_t /*range*/) noexcept
      : word_(digest.lo), stride_(digest.hi) {}

  constexpr std::uint64_t next_word() noexcept {
    const std::uint64_t word = word_;
    word_ += stride_;
    stride_ += ++step_;
    return word;
  }

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return fastrange(next_word(), range);
  }

 private:
  std::uint64_t word_;
  std::uint64_t stride_;
  std::uint64_t step_ = 0;
};

static_assert(ProbePolicy<EnhancedDoubleModProbes> && ProbePolicy<EnhancedDoubleModOddProbes>);
static_assert(WordProbePolicy<EnhancedDoubleFastrangeProbes>);

}  // namespace bloometry
