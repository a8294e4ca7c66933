#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/filter/limits.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// The cells that a chunk of keys is going to change, made once and asked for as they are made: by
/// the time the last is known the first have come, so that an update needs no chunk ahead of it.
class ChunkCells {
 public:
  /// 32 keys of 7 probes ask for 224 lines, a third of an L1 cache.
  static constexpr std::size_t kMaxKeys = 32;

  /// start(digest) is a generator, next(generator, i) its cell number i < num_probes, prefetch asks
  /// for a cell.
  template <class Start, class Next, class Prefetch>
  ChunkCells(std::span<const Digest> chunk, unsigned num_probes, Start start, Next next,
             Prefetch prefetch) noexcept
      : num_keys_(chunk.size()), num_probes_(num_probes) {
    assert(num_keys_ <= kMaxKeys && num_probes <= kMaxNumHashes);
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

  /// Bit i is set if two cells of key i are the same, and seldom else: if they agree in 16 bits.
  /// Compares a probe of all keys with another one of all keys, which vector instructions do.
  [[nodiscard]] std::uint64_t doubled_mask() const noexcept {
    std::array<Row, kMaxNumHashes> rows;  // filled up to num_probes_ only
    Row doubled{};
    for (unsigned j = 0; j < num_probes_; ++j) {
      fill(rows[j], j);
      for (unsigned i = 0; i < j; ++i) add_equal(rows[i], rows[j], doubled);
    }
    std::uint64_t mask = 0;
    for (std::size_t key = 0; key < num_keys_; ++key) {
      mask |= std::uint64_t{doubled[key]} << key;
    }
    return mask;
  }

 private:
  using Row = std::array<std::uint16_t, kMaxKeys>;

  /// Low bits of probe j of all keys; 0 for keys that the chunk does not have.
  void fill(Row& row, unsigned j) const noexcept {
    const std::uint64_t* cell = cells_.data() + j;
    for (std::size_t key = 0; key < num_keys_; ++key, cell += num_probes_) {
      row[key] = static_cast<std::uint16_t>(*cell);
    }
    std::fill(row.begin() + num_keys_, row.end(), std::uint16_t{0});
  }

  static void add_equal(const Row& a, const Row& b, Row& equal) noexcept {
    for (std::size_t key = 0; key < kMaxKeys; ++key) {
      equal[key] = static_cast<std::uint16_t>(equal[key] | (a[key] == b[key] ? 1 : 0));
    }
  }

  std::size_t num_keys_;
  unsigned num_probes_;
  std::array<std::uint64_t, kMaxKeys * kMaxNumHashes> cells_;
};

}  // namespace bloometry
