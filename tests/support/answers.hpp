#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash/digest.hpp"

namespace bloometry::test {

/// Looks up chunks of up to 256 of the keys. There must be at least 300 keys. Returns whether each
/// chunk has the answers of filter.contains(key), and 0 in the mask bits after the last key. Calls
/// look_up(keys, masks), which sets bit i mod 64 of masks[i / 64] to the answer for key i.
template <class F, class LookUp>
bool gives_single_answers(const F& filter, const std::vector<Digest>& keys, LookUp look_up) {
  assert(keys.size() >= 300);
  bool alike = true;
  for (std::size_t length = 0; length <= 256; length += length < 20 ? 1 : 59) {
    const auto some = std::span(keys).subspan(length % 7, length);
    std::array<std::uint64_t, 4> masks;
    masks.fill(~std::uint64_t{0});  // as uninitialised memory may be
    std::array<std::uint64_t, 4> expected = masks;
    std::fill_n(expected.begin(), (length + 63) / 64, std::uint64_t{0});
    look_up(some, masks.data());
    for (std::size_t i = 0; i < length; ++i) {
      expected[i / 64] |= std::uint64_t{filter.contains(some[i])} << i % 64;
    }
    alike &= masks == expected;
  }
  return alike;
}

}  // namespace bloometry::test
