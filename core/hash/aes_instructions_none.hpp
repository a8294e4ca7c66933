#pragma once

#include "core/hash/aes_rounds.hpp"

namespace bloometry::aes {

/// No instructions: never called.
struct Instructions : Software {
  static constexpr bool kExist = false;
};

}  // namespace bloometry::aes
