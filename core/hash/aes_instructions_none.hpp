#pragma once

#include "core/hash/aes_rounds.hpp"

namespace bloometry::aes {

/// Rounds of AES on architectures for which core does not use AES instructions. The inherited
/// functions compile but are never called.
struct Instructions : Software {
  static constexpr bool kExist = false;
};

}  // namespace bloometry::aes
