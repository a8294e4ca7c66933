#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash/digest.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// The positions of a chunk of keys that are to be updated, each prefetched when it is computed:
/// the first lines arrive while the last positions are computed.
class PrefetchedPositions {
 public:
  /// 32 keys of 7 probes prefetch 224 lines, a third of an L1 cache.
  static constexpr std::size_t kMaxKeys = 32;

  /// start(digest) is a generator, next(generator, i) its cell number i < num_probes.
  /// prefetch(cell) starts to load its line.
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

  /// Those of the chunk's key number `key`, in the order of its probes.
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t key) const noexcept {
    return {cells_.data() + key * num_probes_, num_probes_};
  }

 private:
  unsigned num_probes_;
  std::array<std::uint64_t, kMaxKeys * kMaxNumHashes> cells_;
};

}  // namespace bloometry
