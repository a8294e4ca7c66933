#pragma once

#include <array>
#include <cstdint>

namespace bloometry {

/// Functions on paths. A path stores the steps at which filters set a bit. They set it in a fixed
/// order, at steps that never decrease. A path has one bit per filter and one per step. From bit 0
/// on, a 1 means that the next filter sets the bit, and a 0 means that the next step begins. The
/// number of 0s below a filter's 1 is the step at which the filter set the bit. A filter that has
/// not set the bit has no 1.
namespace step_path {

/// Returns the bits that are added to a path when filters [num_set, num_filters) set the bit at
/// `step`. Returns 0 if the range of filters is empty. The step must not be below any step in the
/// path.
[[nodiscard]] constexpr std::uint32_t new_bits(unsigned num_set, unsigned num_filters,
                                               unsigned step) noexcept {
  if (num_filters <= num_set) return 0;
  return ((1U << (num_filters - num_set)) - 1) << (num_set + step);
}

/// Returns whether the first `num_filters` filters all set the bit at `step` or before. The result
/// is true if the lowest num_filters + step bits of the path contain at least num_filters ones.
/// With that many ones, the 1 of filter num_filters - 1 has at most `step` zeros below it.
[[nodiscard]] constexpr bool all_set_by(std::uint32_t path, unsigned num_filters,
                                        unsigned step) noexcept {
  // The bits are added in fields of doubling width, because x86-64 without extensions has no
  // population count.
  std::uint32_t ones = path & ((1U << (num_filters + step)) - 1);
  ones -= (ones >> 1U) & 0x55555555U;
  ones = (ones & 0x33333333U) + ((ones >> 2U) & 0x33333333U);
  ones = (ones + (ones >> 4U)) & 0x0f0f0f0fU;
  return (ones * 0x01010101U) >> 24U >= num_filters;
}

/// A converter from paths to nibbles. Nibble i is the step at which filter i set the bit, or 15 if
/// filter i has not set the bit.
class Decoder {
 public:
  constexpr Decoder() noexcept {
    for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) entries_[chunk] = decode_bits(chunk);
    for (unsigned filter = 0; filter < 16; ++filter)
      ones_below_[filter + 1] = ones_below_[filter] * 16 + 1;
  }

  /// Returns the nibbles of a path. @param num_set number of filters that have set the bit
  [[nodiscard]] constexpr std::uint64_t operator()(std::uint32_t path,
                                                   unsigned num_set) const noexcept {
    const Entry low = entries_[path % kChunks];
    const Entry high = entries_[(path >> kChunkBits) % kChunks];
    std::uint64_t steps = low.steps() | later(high, kChunkBits - low.num_set()) << low.num_bits();
    const std::uint32_t rest = path >> (2 * kChunkBits);
    if (rest != 0) [[unlikely]] {
      const unsigned below = low.num_set() + high.num_set();
      steps |= later(entries_[rest], 2 * kChunkBits - below) << (4 * below);
    }
    return steps | ~(ones_below_[num_set] * 15);
  }

 private:
  // The table of entries for chunks of 11 bits has 16 KB, which fit in L1. A path for 10 filters
  // and 10 steps has two chunks.
  static constexpr unsigned kChunkBits = 11;
  static constexpr std::uint32_t kChunks = 1U << kChunkBits;
  static constexpr unsigned kNumSetShift = 56;

  /// The filters whose 1 is in a chunk of the path. The low 11 nibbles of an entry contain the
  /// steps of the filters relative to the start of the chunk. The higher bits of an entry contain
  /// the number of filters.
  struct Entry {
    std::uint64_t word;

    [[nodiscard]] constexpr std::uint64_t steps() const noexcept {
      return word & ((std::uint64_t{1} << kNumSetShift) - 1);
    }

    [[nodiscard]] constexpr unsigned num_set() const noexcept {
      return static_cast<unsigned>(word >> kNumSetShift);
    }

    /// Returns the number of bits in the nibbles of the entry's filters.
    [[nodiscard]] constexpr unsigned num_bits() const noexcept { return 4 * num_set(); }
  };

  static constexpr Entry decode_bits(std::uint32_t chunk) noexcept {
    std::uint64_t steps = 0;
    unsigned num_set = 0;
    for (unsigned bit = 0; bit < kChunkBits; ++bit) {
      if ((chunk >> bit & 1U) == 0) continue;
      steps |= static_cast<std::uint64_t>(bit - num_set) << (4 * num_set);
      ++num_set;
    }
    return {steps | static_cast<std::uint64_t>(num_set) << kNumSetShift};
  }

  /// Returns the entry's steps, increased by `passed`, the number of steps before the chunk.
  [[nodiscard]] constexpr std::uint64_t later(const Entry& entry, unsigned passed) const noexcept {
    return entry.steps() + passed * ones_below_[entry.num_set()];
  }

  std::array<Entry, kChunks> entries_{};
  std::array<std::uint64_t, 17> ones_below_{};  // by filter: 1 in each lower nibble
};

inline constexpr Decoder kDecoder{};

}  // namespace step_path
}  // namespace bloometry
