#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/error.hpp"
#include "core/store/aligned_words.hpp"

namespace bloometry {

/// Memory policy of a store: it owns its words.
struct OwnedMemory {
  using Words = AlignedWords;

  [[nodiscard]] Words take(std::uint64_t num_words) const { return Words(num_words); }
};

/// Memory policy of a store: the words belong to somebody else (a mapped file, shared memory, an
/// arena) and outlive the store. Their content is kept: zero them for an empty filter.
struct BorrowedMemory {
  using Words = std::span<std::uint64_t>;

  Words words;

  /// @throws ConfigError if the span is shorter than the store needs, or not cache-line aligned.
  [[nodiscard]] Words take(std::uint64_t num_words) const {
    if (words.size() < num_words) {
      throw ConfigError("borrowed memory must have at least " + std::to_string(num_words) +
                        " words of 64 bits, got " + std::to_string(words.size()));
    }
    if (reinterpret_cast<std::uintptr_t>(words.data()) % kCacheLineBytes != 0) {
      throw ConfigError("borrowed memory must be aligned to " + std::to_string(kCacheLineBytes) +
                        " bytes");
    }
    return words.first(num_words);
  }
};

}  // namespace bloometry
