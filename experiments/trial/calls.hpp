#pragma once

#include <cstdint>
#include <span>

#include "core/any_filter/any_filter.hpp"

namespace bloometry {

/// The kind of calls to the real class: with batches of keys or with single keys.
enum class Calls { kBatch, kSingle };

inline void insert_block(AnyFilter& filter, std::span<const Digest> block, Calls calls) {
  calls == Calls::kBatch ? filter.insert(block) : filter.insert_singly(block);
}

[[nodiscard]] inline std::uint64_t count_positives(const AnyFilter& filter,
                                                   std::span<const Digest> block, Calls calls) {
  return calls == Calls::kBatch ? filter.count_positives(block)
                                : filter.count_positives_singly(block);
}

}  // namespace bloometry
