#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>

#include "core/contract/filter.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// The keys of a chunk that the queried stages have not found yet, for a filter that queries its
/// stages in turn. A few found keys may remain among the pending keys. Querying these keys again
/// costs less than removing them, and does not change the answers.
class PendingKeys {
 public:
  /// Makes all keys of the chunk pending. Bit i mod 64 of masks[i / 64] becomes the answer for
  /// chunk[i]. The arguments chunk and masks must outlive this object.
  PendingKeys(std::span<const Digest> chunk, std::uint64_t* masks) noexcept
      : keys_(chunk), masks_(masks) {
    std::iota(numbers_.begin(), numbers_.begin() + chunk.size(), std::uint16_t{0});
    std::fill_n(masks, num_words(), std::uint64_t{0});
  }

  [[nodiscard]] std::span<const Digest> keys() const noexcept { return keys_; }

  /// Records the answers of a stage for keys(). Bit i mod 64 of found[i / 64] is the answer for key
  /// i of keys().
  void report(const std::uint64_t* found) noexcept {
    std::size_t num_found = 0;
    for (std::size_t w = 0; w < num_words(); ++w) {
      num_found += static_cast<std::size_t>(std::popcount(found[w]));
    }
    if (num_found > keys_.size() / 8) {
      keep_others(found);
    } else if (num_found > 0) {
      mark(found);
    }
  }

 private:
  union Room {
    Room() noexcept {}

    std::array<Digest, kMaxQueryKeys> keys;
  };

  [[nodiscard]] std::size_t num_words() const noexcept { return (keys_.size() + 63) / 64; }

  void mark(const std::uint64_t* found) noexcept {
    for (std::size_t w = 0; w < num_words(); ++w) {
      for (std::uint64_t left = found[w]; left != 0; left &= left - 1) {
        set_answer(numbers_[64 * w + static_cast<std::size_t>(std::countr_zero(left))], 1);
      }
    }
  }

  /// Keeps the pending keys that the stage did not find. The function uses arithmetic instead of
  /// one branch per key, because the branch predictor cannot predict which keys are found.
  void keep_others(const std::uint64_t* found) noexcept {
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::uint64_t is_found = found[i / 64] >> (i % 64) & 1U;
      const std::uint16_t number = numbers_[i];
      set_answer(number, is_found);
      std::construct_at(&room_.keys[num_left], keys_[i]);
      numbers_[num_left] = number;
      num_left += 1 - is_found;
    }
    keys_ = {room_.keys.data(), num_left};
  }

  void set_answer(std::uint16_t number, std::uint64_t is_found) noexcept {
    masks_[number / 64] |= is_found << (number % 64);
  }

  std::span<const Digest> keys_;
  std::uint64_t* masks_;
  std::array<std::uint16_t, kMaxQueryKeys> numbers_;
  Room room_;
};

}  // namespace bloometry
