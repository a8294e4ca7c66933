#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/key/key_view.hpp"

namespace bloometry {

/// Keys "sequential": the item number itself, 8 bytes little-endian. What auto-increment ids look
/// like, and hard for weak hashes: neighbours differ in few bits.
struct SequentialKeys {
  static constexpr std::size_t kMaxBytes = 8;

  static std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) noexcept {
    const IntegerKey key(item);
    std::memcpy(out.data(), key.view().data(), kMaxBytes);
    return kMaxBytes;
  }
};

}  // namespace bloometry
