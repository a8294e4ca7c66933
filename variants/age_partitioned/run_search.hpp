#pragma once

#include <cstdint>

namespace bloometry {

/// Search for the k youngest slices of consecutive ages that all match a key. The search tests the
/// oldest slice of a run first. If the slice with age i does not match, no run contains it, and the
/// next candidate begins at age i + 1. Each slice is tested at most once.
///
/// Source: Shtul, Baquero, Almeida (2020), section 3.3, algorithm 3. The paper's algorithm begins
/// at the oldest slice, and this one at the youngest, because it also returns the age.
class RunSearch {
 public:
  enum class Outcome : std::uint8_t { kUndecided, kFound, kNotFound };

  RunSearch() = default;

  /// @pre num_hashes is in [1, num_slices]
  explicit RunSearch(unsigned num_hashes) noexcept
      : next_(static_cast<std::uint16_t>(num_hashes - 1)) {}

  /// Returns the age of the slice to test.
  [[nodiscard]] unsigned next() const noexcept { return next_; }

  /// Returns the age of the youngest slice of the run, if it has been found.
  [[nodiscard]] unsigned age() const noexcept { return first_; }

  /// Reports whether the slice with the age next() matches.
  [[gnu::always_inline]] inline Outcome report(bool matches, unsigned num_hashes,
                                               unsigned num_slices) noexcept {
    if (matches) {
      if (next_ == first_unknown_) return Outcome::kFound;
      --next_;
      return Outcome::kUndecided;
    }
    first_unknown_ = static_cast<std::uint16_t>(first_ + num_hashes);
    first_ = static_cast<std::uint16_t>(next_ + 1);
    next_ = static_cast<std::uint16_t>(next_ + num_hashes);
    return next_ < num_slices ? Outcome::kUndecided : Outcome::kNotFound;
  }

 private:
  std::uint16_t first_ = 0;          // age of the youngest slice of the candidate
  std::uint16_t first_unknown_ = 0;  // all slices of the candidate below this age match
  std::uint16_t next_ = 0;           // all slices of the candidate above this age match
};

}  // namespace bloometry
