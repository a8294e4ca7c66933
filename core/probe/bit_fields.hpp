#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Scheme "bit_fields", for ranges of 2^a cells (the block of a blocked filter). The indices are
/// consecutive fields of `a` bits of a 64-bit word, with the lowest field first. A word has
/// floor(64 / a) fields. The extraction of a field does not need a multiplication. The fields of a
/// uniform word are independent and uniform, so model W holds exactly.
///
/// The word word_0 is digest.lo. For j > 0, word_j is folded_multiply(lo ^ (j golden),
/// kRemixMultiplier). The two halves of the product are folded, because the low bits of a product
/// depend only on low bits of the factors. The scheme uses digest.lo only.
class BitFieldProbes {
 public:
  static constexpr std::string_view kName = "bit_fields";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;
  static constexpr bool kUsesDigestHi = false;
  static constexpr DigestBits kDigestBits = {.num = 64, .are_fields = true};

  /// Starts the sequence of a key. The range must be a power of two and at least 2.
  constexpr BitFieldProbes(const Digest& digest, std::uint64_t range) noexcept
      : seed_(digest.lo),
        word_(digest.lo),
        field_bits_(static_cast<unsigned>(std::countr_zero(range))) {
    assert(std::has_single_bit(range) && range > 1);
  }

  constexpr std::uint64_t next(std::uint64_t /*range*/) noexcept {
    if (num_used_bits_ + field_bits_ > 64) next_word();
    const std::uint64_t index = word_ & ((std::uint64_t{1} << field_bits_) - 1);
    word_ >>= field_bits_;
    num_used_bits_ += field_bits_;
    return index;
  }

  /// Returns word_j of a key whose digest.lo is `lo`. Vector code extracts the fields from the
  /// words.
  [[gnu::always_inline]] static constexpr std::uint64_t word(std::uint64_t lo,
                                                             unsigned j) noexcept {
    return j == 0 ? lo : folded_multiply(lo ^ (j * kGoldenGamma), kRemixMultiplier);
  }

 private:
  constexpr void next_word() noexcept {
    word_ = word(seed_, ++word_number_);
    num_used_bits_ = 0;
  }

  std::uint64_t seed_;
  std::uint64_t word_;
  unsigned field_bits_;
  unsigned num_used_bits_ = 0;
  unsigned word_number_ = 0;
};

static_assert(ProbePolicy<BitFieldProbes>);

}  // namespace bloometry
