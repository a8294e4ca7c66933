#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/probe/limits.hpp"

namespace bloometry {

/// The distinct positions of one key, for filters in which a doubled probe counts once.
class DistinctPositions {
 public:
  DistinctPositions() noexcept = default;

  /// fill and drop_repeats of a new one.
  template <class Next>
  DistinctPositions(unsigned num_probes, Next next) noexcept {
    fill(num_probes, next);
    drop_repeats();
  }

  /// Takes next(), called num_probes times, at most kMaxNumHashes.
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

  /// Keeps one of equal positions; O(num_probes^2 / 8) comparisons, O(num_probes^2) in the rare
  /// case that two seem to be the same. Best some keys after fill: a vector of numbers that were
  /// written one by one just before is not loaded until all of them have left the store buffer.
  void drop_repeats() noexcept {
    if (may_repeat()) num_cells_ = keep_distinct();
  }

  /// In the order of the probes that were the first to fall on them.
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

  /// Whether two of the cells may be the same: true if they are, and seldom else,
  /// namely if their low 16 bits agree. Compares eight of them with those r places further on, r =
  /// 1, 2, ...
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

  /// Moves the first of equal cells to the front, in their order; returns how many.
  unsigned keep_distinct() noexcept {
    unsigned num = 0;
    for (unsigned i = 0; i < num_cells_; ++i) {
      const std::uint64_t cell = cells_[i];
      const auto end = cells_.begin() + num;
      if (std::find(cells_.begin(), end, cell) == end) cells_[num++] = cell;
    }
    return num;
  }

  // Filled as far as a key needs it.
  std::array<std::uint64_t, kMaxNumHashes> cells_;
  std::array<std::uint16_t, kMaxNumHashes + kLanes> low_;
  unsigned num_cells_ = 0;
};

}  // namespace bloometry
