#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"
#include "core/isa/isa.hpp"

/// Lanes filters that are the stages of one filter and are queried together. Each stage uses a
/// different digest, which is derived from the digest of the key.
namespace bloometry {

/// Factors in the derivation of a stage's digest (stage_digest), below 2^32.
struct StageFactors {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;
};

/// Returns the factors of a stage. The low 8 bits of a factor equal the low 8 bits of the stage
/// number, so that 256 consecutive stages have different factors.
[[nodiscard]] constexpr StageFactors stage_factors(std::uint64_t stage) noexcept {
  constexpr std::uint64_t kHigh = 0xffffff00;
  const std::uint64_t word = mix64((stage + 1) * kGoldenGamma);
  return {(word & kHigh) | (stage & 0xffU), (word >> 32U & kHigh) | (stage & 0xffU)};
}

/// Returns the digest of a key in a stage. A lanes filter uses hi and the low 48 bits of lo. Let a
/// and b be the low and the high half of digest.lo. The function computes
///
///     lo = (a factors.lo + digest.hi mod 2^64) / 2^16
///     hi = b factors.hi + digest.lo mod 2^64, halves exchanged
///
/// The word lo is uniform for all a and b because digest.hi is uniform. The high half of hi is
/// uniform because a is uniform. The values lo 2^16 of two stages differ by a times the difference
/// of their factors. The high halves of hi differ by b times the difference of the factors, modulo
/// 2^32. Any two stages are therefore independent. Three stages are dependent, because the words of
/// the third stage are a function of the words of the first two. The dependence does not matter,
/// because few keys are false positives in three stages. The function stage_digest is always
/// inlined, because a copy compiled for one instruction set must not be used for another.
[[nodiscard, gnu::always_inline]] constexpr Digest stage_digest(
    const Digest& digest, const StageFactors& factors) noexcept {
  const std::uint64_t lo = (digest.lo & 0xffffffffU) * factors.lo + digest.hi;
  const std::uint64_t hi = (digest.lo >> 32U) * factors.hi + digest.lo;
  return {lo >> 16U, hi << 32U | hi >> 32U};
}

/// Stage that a query reads. The members `words` and `num_blocks` are arguments of the functions of
/// BlockKernels.
struct LaneStage {
  const std::uint64_t* words = nullptr;
  std::uint64_t num_blocks = 0;
  StageFactors factors;
  bool prefetches = false;  ///< whether the stage is larger than its share of the caches
};

/// Effect of an insert on the block of the key.
struct LaneInsert {
  std::uint64_t before = 0;  ///< product of the words' numbers of set bits before the insert
  std::uint64_t after = 0;
  unsigned num_new = 0;  ///< number of bits that the insert set

  friend bool operator==(const LaneInsert&, const LaneInsert&) = default;
};

struct LaneStageKernels {
  static constexpr std::size_t kMostKeys = 256;

  /// Sets bit i mod 64 of masks[i / 64] if one of the stages contains key i, for at most kMostKeys
  /// keys. Skips the keys whose bit is already set. Queries the stages in array order, and
  /// prefetches the cache lines of the next stage during the query of a stage.
  void (*contains)(const LaneStage* stages, std::size_t num_stages, const Digest* digests,
                   std::size_t num_keys, std::uint64_t* masks) noexcept;
  /// Inserts a key; `digest` is the result of stage_digest for the key.
  LaneInsert (*insert)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;

  friend bool operator==(const LaneStageKernels&, const LaneStageKernels&) = default;
};

/// Returns the kernels for stages of at most num_blocks blocks; isa must be one of
/// supported_isas(). Returns the kernels of Isa::kBaseline if num_blocks is 2^32 or more.
[[nodiscard]] const LaneStageKernels& lane_stage_kernels(Isa isa,
                                                         std::uint64_t num_blocks) noexcept;

}  // namespace bloometry
