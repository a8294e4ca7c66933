#pragma once

#include "core/hash/aes_rounds.hpp"

namespace bloometry::aes {

/// This machine does not have AES instructions; never called.
struct Instructions : Software {
  static constexpr bool kExist = false;
};

}  // namespace bloometry::aes
