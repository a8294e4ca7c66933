#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"
#include "core/isa/isa.hpp"

/// Filters of lanes that are queried together: the stages of one filter, each with a digest of its
/// own of every key.
namespace bloometry {

/// The numbers, below 2^32, with which a stage derives its digest from that of a key.
struct StageFactors {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;
};

/// Returns the factors of a stage. The low 8 bits are those of its number, so that the factors of
/// two of 256 consecutive stages differ in them.
[[nodiscard]] constexpr StageFactors stage_factors(std::uint64_t stage) noexcept {
  constexpr std::uint64_t kHigh = 0xffffff00;
  const std::uint64_t word = mix64((stage + 1) * kGoldenGamma);
  return {(word & kHigh) | (stage & 0xffU), (word >> 32U & kHigh) | (stage & 0xffU)};
}

/// Returns the digest of a key in a stage, of which a lanes filter uses the low 48 bits of lo and
/// hi. With a and b the low and the high half of digest.lo,
///
///     lo = (a factors.lo + digest.hi mod 2^64) / 2^16
///     hi = b factors.hi + digest.lo mod 2^64, halves exchanged
///
/// lo is uniform because digest.hi is, whatever a and b are; the high half of hi is, because a is.
/// In two stages, the difference of lo 2^16 is a times that of the factors, and the difference of
/// the high half of hi is b times that of the factors, modulo 2^32. Two stages are therefore
/// independent; with three, each word is a combination of the two others, but keys that are
/// positive in three are too rare to matter.
/// Always inline: a copy compiled for one instruction set must not serve another.
[[nodiscard, gnu::always_inline]] constexpr Digest stage_digest(
    const Digest& digest, const StageFactors& factors) noexcept {
  const std::uint64_t lo = (digest.lo & 0xffffffffU) * factors.lo + digest.hi;
  const std::uint64_t hi = (digest.lo >> 32U) * factors.hi + digest.lo;
  return {lo >> 16U, hi << 32U | hi >> 32U};
}

/// A stage for queries; words and num_blocks as in BlockKernels.
struct LaneStage {
  const std::uint64_t* words = nullptr;
  std::uint64_t num_blocks = 0;
  StageFactors factors;
  bool prefetches = false;  ///< whether it is larger than its share of the caches
};

/// The effect of an insert on the block of the key.
struct LaneInsert {
  std::uint64_t before = 0;  ///< product of the set bits of its words before the insert
  std::uint64_t after = 0;
  unsigned num_new = 0;  ///< bits that were not set before

  friend bool operator==(const LaneInsert&, const LaneInsert&) = default;
};

struct LaneStageKernels {
  static constexpr std::size_t kMostKeys = 256;

  /// Sets bit i mod 64 of masks[i / 64] if one of the stages contains key i, for at most kMostKeys
  /// keys. Keys whose bit is set already are not queried. The stages are queried in their order,
  /// and the lines of the next stage are fetched meanwhile.
  void (*contains)(const LaneStage* stages, std::size_t num_stages, const Digest* digests,
                   std::size_t num_keys, std::uint64_t* masks) noexcept;
  /// Inserts a key of which the digest in the stage is given.
  LaneInsert (*insert)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;

  friend bool operator==(const LaneStageKernels&, const LaneStageKernels&) = default;
};

/// Returns the kernels for isa, one of supported_isas, and stages of at most so many blocks: those
/// of Isa::kBaseline for 2^32 blocks and more.
[[nodiscard]] const LaneStageKernels& lane_stage_kernels(Isa isa,
                                                         std::uint64_t num_blocks) noexcept;

}  // namespace bloometry
