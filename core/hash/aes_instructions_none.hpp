#pragma once

#include "core/hash/aes_rounds.hpp"

namespace bloometry::aes {

/// The functions of a machine without AES instructions. They are never called.
struct Instructions : Software {
  static constexpr bool kExist = false;
};

}  // namespace bloometry::aes
