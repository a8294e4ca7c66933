#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/engine/batch_access.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// Bit i is operation(i), called for i = 0, 1, ... below num_keys.
template <class Operation>
std::uint64_t mask_of_each_key(std::size_t num_keys, Operation operation) {
  assert(num_keys <= kMaxChunkKeys);
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < num_keys; ++i) {
    mask |= static_cast<std::uint64_t>(operation(i)) << i;
  }
  return mask;
}

/// Bit i is operation(chunk[i]), called in the order of the chunk.
template <class Operation>
std::uint64_t mask_of_each(std::span<const Digest> chunk, Operation operation) {
  return mask_of_each_key(chunk.size(), [&](std::size_t i) { return operation(chunk[i]); });
}

}  // namespace bloometry
