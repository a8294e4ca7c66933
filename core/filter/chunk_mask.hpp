#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/filter/filter.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// Bit i is operation(chunk[i]), called in the order of the chunk.
template <class Operation>
std::uint64_t mask_of_each(std::span<const Digest> chunk, Operation operation) {
  assert(chunk.size() <= kMaxChunkKeys);
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    mask |= static_cast<std::uint64_t>(operation(chunk[i])) << i;
  }
  return mask;
}

}  // namespace bloometry
