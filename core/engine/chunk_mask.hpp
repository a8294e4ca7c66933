#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/engine/batch_access.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// Calls operation(i) for i = 0, 1, ..., num_keys - 1. Returns a mask whose bit i is the result of
/// operation(i).
template <class Operation>
std::uint64_t mask_of_each_key(std::size_t num_keys, Operation operation) {
  assert(num_keys <= kMaxChunkKeys);
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < num_keys; ++i) {
    mask |= static_cast<std::uint64_t>(operation(i)) << i;
  }
  return mask;
}

/// Calls operation(chunk[i]) for i = 0, 1, ... Returns a mask whose bit i is the result of
/// operation(chunk[i]).
template <class Operation>
std::uint64_t mask_of_each(std::span<const Digest> chunk, Operation operation) {
  return mask_of_each_key(chunk.size(), [&](std::size_t i) { return operation(chunk[i]); });
}

}  // namespace bloometry
