#include "variants/cuckoo/semi_sorting.hpp"

#include <cstddef>
#include <utility>

#include "variants/cuckoo/cuckoo_sizing.hpp"
#include "variants/cuckoo/semi_sorted_layout.hpp"

namespace bloometry {
namespace semi_sorting {
namespace {

constexpr std::array<std::uint16_t, 1U << kCodeBits> all_sorted_nibbles() {
  std::array<std::uint16_t, 1U << kCodeBits> nibbles{};
  for (unsigned d = 0; d < 16; ++d) {
    for (unsigned c = 0; c <= d; ++c) {
      for (unsigned b = 0; b <= c; ++b) {
        for (unsigned a = 0; a <= b; ++a) {
          nibbles[code_of(a, b, c, d)] =
              static_cast<std::uint16_t>(a | b << 4U | c << 8U | d << 12U);
        }
      }
    }
  }
  return nibbles;
}

}  // namespace

constinit const std::array<std::uint16_t, 1U << kCodeBits> kSortedNibbles = all_sorted_nibbles();

}  // namespace semi_sorting

namespace {

constexpr unsigned kMinBits = kMinSemiSortedFingerprintBits;

template <std::size_t... kIndices>
constexpr std::array<SemiSortedLayout, sizeof...(kIndices)> layouts_of(
    std::index_sequence<kIndices...> /*indices*/) {
  return {SemiSortedLayout(static_cast<unsigned>(kMinBits + kIndices))...};
}

constexpr auto kLayouts =
    layouts_of(std::make_index_sequence<kMaxCuckooFingerprintBits - kMinBits + 1>());

}  // namespace

const SemiSortedLayout& semi_sorted_layout(unsigned fingerprint_bits) noexcept {
  return kLayouts[fingerprint_bits - kMinBits];
}

}  // namespace bloometry
