#pragma once

#include <cassert>
#include <cstdint>

#include "core/isa/compiled_isa.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {

/// Equal lanes in the lowest bits of a 64-bit word, and operations on all lanes at once. Lane j
/// occupies the bits [j * lane_bits, (j+1) * lane_bits). The bits above the lanes may have any
/// value. A set of lanes is a word of marks: the highest bit of each lane of the set is 1, and all
/// other bits are 0.
///
/// Source: Lamport (1975), "Multiple byte processing with full-word instructions".
class WordLanes {
 public:
  /// Requires num_lanes <= lane_bits and num_lanes * lane_bits <= 64.
  constexpr WordLanes(unsigned num_lanes, unsigned lane_bits) noexcept
      : num_lanes_(num_lanes),
        num_bits_(num_lanes * lane_bits),
        highest_bit_(lane_bits - 1),
        last_lane_(lane_bits * (num_lanes - 1)),
        lane_mask_(~std::uint64_t{0} >> (64 - lane_bits)),
        all_lanes_(~std::uint64_t{0} >> (64 - num_lanes)) {
    assert(num_lanes >= 1 && num_lanes <= lane_bits && num_lanes * lane_bits <= 64);
    for (unsigned lane = 0; lane < num_lanes; ++lane) {
      lowest_ |= std::uint64_t{1} << lane * lane_bits;
      // The product of this term and of the mark of the same lane is bit last_lane_ + lane. The
      // products with marks of other lanes are other bits, outside of the num_lanes bits from
      // last_lane_ on, because num_lanes <= lane_bits. No two products carry.
      gather_ |= std::uint64_t{1} << (last_lane_ + lane - lane * lane_bits);
    }
    minus_lowest_ = 0 - lowest_;
    highest_ = lowest_ << highest_bit_;
    lower_ = highest_ - lowest_;
  }

  /// Copies member by member. If g++ copies the object as a whole, for AVX-512 as one vector, it
  /// keeps the copy in memory, and the members do not stay in registers.
  constexpr WordLanes(const WordLanes& other) noexcept
      : num_lanes_(other.num_lanes_),
        num_bits_(other.num_bits_),
        highest_bit_(other.highest_bit_),
        last_lane_(other.last_lane_),
        lane_mask_(other.lane_mask_),
        all_lanes_(other.all_lanes_),
        lowest_(other.lowest_),
        minus_lowest_(other.minus_lowest_),
        highest_(other.highest_),
        lower_(other.lower_),
        gather_(other.gather_) {}

  WordLanes& operator=(const WordLanes&) = default;

  [[nodiscard]] constexpr unsigned num() const noexcept { return num_lanes_; }

  /// Returns the number of bits of all lanes.
  [[nodiscard]] constexpr unsigned num_bits() const noexcept { return num_bits_; }

  /// Returns the bits of the lowest lane.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t lane_mask() const noexcept {
    return lane_mask_;
  }

  /// Returns the marks of all lanes.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t all() const noexcept {
    return highest_;
  }

  /// Returns a word with the value, of at most lane_bits bits, in every lane.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t broadcast(
      std::uint64_t value) const noexcept {
    return value * lowest_;
  }

  /// Returns the marks of the lanes whose value is at least `limit`, in [1, 2^(lane_bits-1)]. The
  /// sum has a carry into the highest bit of such a lane, and never into the next lane.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t at_least(
      std::uint64_t limit, std::uint64_t word) const noexcept {
    return (((word & lower_) + (highest_ - broadcast(limit))) | word) & highest_;
  }

  /// Returns a word whose bits all() are 0 if and only if every lane is at least `limit`, in [1,
  /// 2^(lane_bits-1)]. A lane below the limit borrows from the lanes above it, so bits of other
  /// lanes may be 1 too. The other bits may have any value.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t any_below(
      std::uint64_t limit, std::uint64_t word) const noexcept {
    return (word + limit * minus_lowest_) & ~word;
  }

  /// Returns a word in which the marked lanes are 1 and the other lanes are 0.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t ones(
      std::uint64_t marks) const noexcept {
    return marks >> highest_bit_;
  }

  /// Returns the sum of all lanes of a word, which must be below 2^lane_bits. The bits above the
  /// lanes must be 0.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t sum(std::uint64_t word) const noexcept {
    return (word * lowest_) >> last_lane_ & lane_mask_;
  }

  /// Returns a mask whose bit j is 1 if lane j is marked.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t mask_of(
      std::uint64_t marks) const noexcept {
    return (ones(marks) * gather_) >> last_lane_ & all_lanes_;
  }

 private:
  unsigned num_lanes_;
  unsigned num_bits_;     // of all lanes
  unsigned highest_bit_;  // of the lowest lane
  unsigned last_lane_;    // first bit of the last lane
  std::uint64_t lane_mask_;
  std::uint64_t all_lanes_;   // a bit per lane
  std::uint64_t lowest_ = 0;  // the lowest bits of all lanes
  std::uint64_t minus_lowest_ = 0;
  std::uint64_t highest_ = 0;  // the highest bits of all lanes
  std::uint64_t lower_ = 0;    // all other bits of all lanes
  std::uint64_t gather_ = 0;
};

}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
