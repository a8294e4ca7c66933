#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloometry {

/// Keys "decimal": the ASCII digits of the item number, without leading zeros.
struct DecimalKeys {
  static constexpr std::size_t kMaxBytes = 20;  // digits of 2^64 - 1

  static std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) noexcept {
    const auto end = std::to_chars(out.data(), out.data() + out.size(), item).ptr;
    return static_cast<std::size_t>(end - out.data());
  }
};

}  // namespace bloometry
