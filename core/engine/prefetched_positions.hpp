#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash/digest.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// The positions of a chunk of keys for an update. Each position is prefetched when it is computed,
/// so that the first cache lines arrive while the last positions are computed.
class PrefetchedPositions {
 public:
  /// Largest number of keys. 32 keys of 7 probes prefetch 224 cache lines, a third of an L1 cache.
  static constexpr std::size_t kMaxKeys = 32;

  /// start(digest) returns a generator. next(generator, i) returns the cell of probe i <
  /// num_probes. prefetch(cell) starts to load the cache line of the cell.
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

  /// Returns the positions of key number `key` of the chunk, in the order of its probes.
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t key) const noexcept {
    return {cells_.data() + key * num_probes_, num_probes_};
  }

 private:
  unsigned num_probes_;
  std::array<std::uint64_t, kMaxKeys * kMaxNumHashes> cells_;
};

}  // namespace bloometry
