#pragma once

#include "core/hash/aes_rounds.hpp"

namespace bloometry::aes {

/// Placeholder for a machine without AES instructions. Its functions are never called.
struct Instructions : Software {
  static constexpr bool kExist = false;
};

}  // namespace bloometry::aes
