#pragma once

#include "core/hash/aes_rounds.hpp"

namespace bloometry::aes {

/// Placeholder for a machine without AES instructions. The functions of the placeholder are never
/// called.
struct Instructions : Software {
  static constexpr bool kExist = false;
};

}  // namespace bloometry::aes
