#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/probe/limits.hpp"

namespace bloometry {

/// Distinct positions of one key, for filters that update a repeated position once.
class DistinctPositions {
 public:
  DistinctPositions() noexcept = default;

  /// Calls `fill` and then `drop_repeats`.
  template <class Next>
  DistinctPositions(unsigned num_probes, Next next) noexcept {
    fill(num_probes, next);
    drop_repeats();
  }

  /// Calls next() num_probes times and stores the results; num_probes <= kMaxNumHashes.
  template <class Next>
  void fill(unsigned num_probes, Next next) noexcept {
    assert(num_probes <= kMaxNumHashes);
    for (unsigned i = 0; i < num_probes; ++i) {
      const std::uint64_t cell = next();
      cells_[i] = cell;
      low_[i] = static_cast<std::uint16_t>(cell);
    }
    // Padding lanes are pairwise distinct and almost never equal a position.
    constexpr Lanes kBehind = {0xffff, 0xfffe, 0xfffd, 0xfffc, 0xfffb, 0xfffa, 0xfff9, 0xfff8};
    std::memcpy(low_.data() + num_probes, &kBehind, sizeof kBehind);
    num_cells_ = num_probes;
  }

  /// Removes repeated positions. The function makes O(num_probes^2 / 8) comparisons. If
  /// may_repeat() is true, which is rare, the function makes O(num_probes^2) comparisons. For
  /// speed, call `fill` for some other keys between `fill` and `drop_repeats` of a key. Otherwise
  /// the vector loads wait until the stored positions have left the store buffer.
  void drop_repeats() noexcept {
    if (may_repeat()) num_cells_ = keep_distinct();
  }

  /// Returns a pointer to the first distinct position. The positions are in the order of the probes
  /// that selected them first.
  [[nodiscard]] const std::uint64_t* begin() const noexcept { return cells_.data(); }

  [[nodiscard]] const std::uint64_t* end() const noexcept { return cells_.data() + num_cells_; }

 private:
  static constexpr unsigned kLanes = 8;
  using Lanes [[gnu::vector_size(kLanes * sizeof(std::uint16_t))]] = std::uint16_t;

  [[nodiscard]] Lanes low_from(unsigned i) const noexcept {
    Lanes lanes;
    std::memcpy(&lanes, low_.data() + i, sizeof lanes);
    return lanes;
  }

  /// Returns true if two cells have equal low 16 bits, which is rare for different cells. Compares
  /// eight cells at once with the eight cells that are r elements later, for r = 1, 2, ...
  [[nodiscard]] bool may_repeat() const noexcept {
    Lanes equal{};
    for (unsigned first = 0; first < num_cells_; first += kLanes) {
      const Lanes some = low_from(first);
      for (unsigned other = first + 1; other < num_cells_; ++other) {
        equal |= static_cast<Lanes>(some == low_from(other));
      }
    }
    std::array<std::uint64_t, sizeof equal / sizeof(std::uint64_t)> words;
    std::memcpy(words.data(), &equal, sizeof equal);
    return (words[0] | words[1]) != 0;
  }

  /// Moves the distinct cells to the front without changing their order. Returns the number of
  /// distinct cells.
  unsigned keep_distinct() noexcept {
    unsigned num = 0;
    for (unsigned i = 0; i < num_cells_; ++i) {
      const std::uint64_t cell = cells_[i];
      const auto end = cells_.begin() + num;
      if (std::find(cells_.begin(), end, cell) == end) cells_[num++] = cell;
    }
    return num;
  }

  // The elements from num_cells_ on are not initialised.
  std::array<std::uint64_t, kMaxNumHashes> cells_;
  std::array<std::uint16_t, kMaxNumHashes + kLanes> low_;
  unsigned num_cells_ = 0;
};

}  // namespace bloometry
