#pragma once

#include <cstdint>
#include <span>

#include "core/engine/batch_access.hpp"
#include "core/hash/digest.hpp"

namespace bloometry::test {

/// Returns the answers for up to 64 keys as bits. Bit i is the answer for key i.
template <class F>
std::uint64_t contains_mask(const F& filter, std::span<const Digest> chunk) {
  std::uint64_t mask = 0;
  BatchAccess::contains_masks(filter, chunk, &mask);
  return mask;
}

}  // namespace bloometry::test
