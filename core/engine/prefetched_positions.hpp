#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash/digest.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// Positions of the keys of a chunk for an update. The cache line of a position is prefetched when
/// the position is computed. The first cache lines therefore arrive while the last positions are
/// computed.
class PrefetchedPositions {
 public:
  /// Largest number of keys in a chunk. With 7 probes, 32 keys prefetch 224 cache lines, which is a
  /// third of an L1 cache.
  static constexpr std::size_t kMaxKeys = 32;

  /// Computes and prefetches the positions of a chunk. The call start(digest) returns a generator,
  /// next(generator, i) returns the cell of probe i < num_probes, and prefetch(cell) prefetches the
  /// cache line of the cell.
  template <class Start, class Next, class Prefetch>
  PrefetchedPositions(std::span<const Digest> chunk, unsigned num_probes, Start start, Next next,
                      Prefetch prefetch) noexcept
      : num_probes_(num_probes) {
    assert(chunk.size() <= kMaxKeys && num_probes <= kMaxNumHashes);
    std::uint64_t* cell = cells_.data();
    for (const Digest& digest : chunk) {
      auto generator = start(digest);
      for (unsigned i = 0; i < num_probes; ++i) {
        *cell = next(generator, i);
        prefetch(*cell++);
      }
    }
  }

  /// Returns the positions of key number `key` of the chunk, in the order of the probes.
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t key) const noexcept {
    return {cells_.data() + key * num_probes_, num_probes_};
  }

 private:
  unsigned num_probes_;
  std::array<std::uint64_t, kMaxKeys * kMaxNumHashes> cells_;
};

}  // namespace bloometry
