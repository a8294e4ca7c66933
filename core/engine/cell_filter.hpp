#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/contract/filter.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/batch_lookup.hpp"
#include "core/engine/cell_design.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/distinct_positions.hpp"
#include "core/engine/filter_core.hpp"
#include "core/engine/key_positions.hpp"
#include "core/isa/isa.hpp"
#include "core/probe/limits.hpp"
#include "core/probe/remix.hpp"
#include "core/store/fold.hpp"

namespace bloometry {

/// Filter of a design whose probes may fall on any cell (variants/README.md). Functions of a few
/// lines have the attribute always_inline. Without the attribute, g++ 12 does not inline such
/// functions into loops of about ten instructions.
///
/// Any number of threads may query at the same time. A thread that inserts or erases needs
/// exclusive access. With Atomic memory, which only bits support, any number of threads may call
/// `insert`, `contains`, `num_set_probes`, `state` and `estimate_count` at the same time. A thread
/// that calls any other function needs exclusive access (variants/standard/README.md, "Threads").
template <class Design, ProbePolicy P = DefaultProbesOf<Design>, class Memory = OwnedMemory>
class CellFilter : public FilterCore<Design, P, Memory> {
  static_assert(engine::is_cell_design<Design>());
  using Core = FilterCore<Design, P, Memory>;
  static constexpr bool kTakesDistinct = Design::kTraits.distinct_positions;

 public:
  using typename Core::Cells;
  template <ProbePolicy Q>
  using WithProbes = CellFilter<Design, Q, Memory>;
  template <class M>
  using WithMemory = CellFilter<Design, P, M>;
  /// Without distinct positions, a chunk has at most 32 keys. With 7 probes, 32 keys prefetch 224
  /// cache lines, which is a third of an L1 cache.
  static constexpr std::size_t kUpdateKeys = kTakesDistinct ? kMaxChunkKeys : 32;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;

  using Core::Core;
  using Core::num_bits;
  using Core::num_hashes;

  /// Inserts a key. Returns true only if the key was not in the filter before. If a key is inserted
  /// twice into a filter of counters, it must be erased twice.
  bool insert(const Digest& digest) noexcept { return set_bits(digest) != 0; }

  /// Returns an object that inserts keys one by one faster than the function `insert`
  /// (core/engine/inserter.hpp).
  [[nodiscard]] auto inserter() noexcept requires kIsWritable<Memory> {
    using View = WithMemory<ViewMemory<std::uint64_t, typename Memory::WordAccess>>;
    return Inserter(View(ViewOfCells(), *this));
  }

  /// Inserts a key. Returns the result of the design's `insert`, which is the number of changed
  /// bits in some designs.
  auto set_bits(const Digest& digest) noexcept {
    auto positions = positions_to_update(digest);
    const auto insert = [&](auto& cells) __attribute__((always_inline)) {
      return insert_at(cells, positions, digest);
    };
    return Cells::with_width(cells_, insert);
  }

  /// Returns whether the filter contains the key. The answer true may be wrong. The answer false is
  /// always correct if only keys that were in the filter have been erased.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return Cells::with_width(cells_, [&](const auto& cells) {
      auto positions = positions_of(digest);
      Words words(digest);
      return passes_all(cells, positions, words);
    });
  }

  /// Erases a key and returns true. If the cells prove that the key is not in the filter, `erase`
  /// does not change the filter and returns false. Erase only keys that were inserted. The filter
  /// cannot detect that an erased key is a false positive. Such an erase can cause false negatives.
  bool erase(const Digest& digest) noexcept requires(Design::kTraits.erase) {
    auto positions = positions_to_update(digest);
    const auto erase = [&](auto& cells) __attribute__((always_inline)) {
      return erase_at(cells, positions, digest);
    };
    return Cells::with_width(cells_, erase);
  }

  /// Returns the number of the key's k probes that fall on non-zero cells. If several probes fall
  /// on one cell, each of them is counted.
  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    for (const std::uint64_t i : positions_of(digest)) {
      num_set += static_cast<unsigned>(Cells::is_set(cells_, i));
    }
    return num_set;
  }

  /// Returns a filter of the same keys with m / divisor cells. The bits and the rate of the result
  /// equal those of a filter that is built with the size of the result. The result owns its memory.
  /// The scheme must have a fold rule.
  /// @throws ConfigError if divisor does not divide m, or if the design's require_foldable throws.
  [[nodiscard]] auto fold(std::uint64_t divisor) const
      requires(Design::kTraits.fold&& kFoldRule<P> != FoldRule::kNone) {
    if constexpr (requires { this->require_foldable(this->geometry(), divisor); }) {
      this->require_foldable(this->geometry(), divisor);
    } else {
      require_divisor(divisor, "num_bits", num_bits());
    }
    Geometry smaller = this->geometry();
    smaller.num_cells /= divisor;
    return WithMemory<OwnedMemory>(folded<kFoldRule<P>>(cells_, divisor), smaller);
  }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState counts = Core::counts();
    const double rate = Design::rate(Core::kModel, cells_, counts, num_hashes());
    return Core::with_rate(counts, rate);
  }

 private:
  template <class, ProbePolicy, class>
  friend class CellFilter;
  friend struct BatchAccess;

  using Core::cells_;
  using Positions = KeyPositions<Design, P>;
  using Words = engine::WordsOf<Design>;

  /// Number of keys whose positions are computed before the first of the keys is updated. With 7
  /// probes, 16 keys prefetch 112 cache lines, which is more than a core can load at the same time.
  /// When a key is updated, its stored positions have left the store buffer.
  static constexpr std::size_t kKeysAhead = 16;

  /// Whether the design has a function that inserts a chunk of keys (design.hpp, `chunk_insert`).
  static constexpr bool kHasChunkInsert =
      InsertsChunks<Design, P> && std::same_as<typename Memory::WordAccess, PlainAccess>;

  CellFilter(BitArray<Memory> cells, const Geometry& geometry) : Core(std::move(cells), geometry) {}

  template <class M>
  CellFilter(ViewOfCells tag, CellFilter<Design, P, M>& other) : Core(tag, other) {}

  // Batch functions, which are documented in BatchAccess.

  [[nodiscard]] bool should_prefetch() const noexcept { return cells_.should_prefetch(); }

  /// For queries, prefetches the cell of the first probe, because half of the nonmember queries end
  /// at the first probe. For updates, does not prefetch, because the update functions prefetch the
  /// cells themselves.
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kQuery) cells_.prefetch_to_read(positions_of(digest).next());
  }

  void prefetch_all(const Digest& digest) const noexcept {
    for (const std::uint64_t i : positions_of(digest)) cells_.prefetch_to_write(i);
  }

  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if constexpr (kHasChunkInsert) {
      if (const auto insert = Design::template chunk_insert<P>(cells_.size(), num_hashes())) {
        return insert(cells_.words().data(), cells_.size(), num_hashes(), chunk.data(),
                      chunk.size(), should_prefetch());
      }
    }
    return update_mask<Update::kInsert>(chunk);
  }

  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept requires(Design::kTraits.erase) {
    return update_mask<Update::kErase>(chunk);
  }

  template <class Key = Digest, class Derive = std::identity>
  void contains_masks(std::span<const Key> keys, std::uint64_t* masks,
                      Derive derive = {}) const noexcept {
    Cells::with_width(cells_, [&](auto& cells) {
      using Test = ProbeTest<std::remove_reference_t<decltype(cells)>, Derive>;
      BatchLookup lookup(Test{this->design(), cells.view(), cells_.size(), derive});
      lookup.run(keys, num_hashes(), should_prefetch(), masks);
    });
  }

  [[nodiscard, gnu::always_inline]] inline Positions positions_of(
      const Digest& digest) const noexcept {
    return Positions(this->design(), digest, cells_.size(), num_hashes());
  }

  /// Returns the positions that an update of the key changes.
  [[nodiscard, gnu::always_inline]] inline auto positions_to_update(
      const Digest& digest) const noexcept {
    if constexpr (kTakesDistinct) {
      auto positions = positions_of(digest);
      return DistinctPositions(num_hashes(), [&] { return positions.next(); });
    } else {
      return positions_of(digest);
    }
  }

  // Calls of the design's hooks. If the design has the type Words, the hooks receive the key's
  // words.

  [[gnu::always_inline]] static inline bool passes_at(const Design& design, const auto& cells,
                                                      std::uint64_t i,
                                                      [[maybe_unused]] Words& words) noexcept {
    if constexpr (DrawsWords<Design>) {
      return design.passes(cells, i, words);
    } else {
      return design.passes(cells, i);
    }
  }

  /// Returns whether the key passes all of its probes.
  ///
  /// Half of the nonmember keys fail the first probe, and the branch predictor cannot predict which
  /// keys fail. If the cells are bits in the caches and k is at most 8, passes_all therefore tests
  /// all probes without a branch. Otherwise passes_all tests three probes without a branch. One
  /// nonmember key in eight passes the three probes. If the design has the type Words, passes_all
  /// tests only one probe first. In such a design, a test needs more time than in a design without
  /// Words, and fewer nonmember keys pass the first probe. The measurements are in
  /// core/decisions.md.
  [[nodiscard, gnu::always_inline]] inline bool passes_all(const auto& cells, auto& positions,
                                                           Words& words) const noexcept {
    const auto passes = [&]() __attribute__((always_inline)) {
      return passes_at(this->design(), cells, positions.next(), words);
    };
    if constexpr (DrawsWords<Design>) {
      if (num_hashes() == 0) return true;
      return passes() && passes_one_by_one(1, passes);
    } else {
      constexpr bool kIsBits = std::same_as<typename Design::Cells, Bits>;
      constexpr unsigned kMostAtOnce = 8;
      constexpr unsigned kFirst = 3;
      if (kIsBits && num_hashes() <= kMostAtOnce && !should_prefetch()) {
        return passes_rest(0, passes);
      }
      unsigned i = 0;
      if (num_hashes() >= kFirst) {
        unsigned passes_first = 1;
        for (; i < kFirst; ++i) passes_first &= passes();
        if (passes_first == 0) return false;
      }
      return kIsBits ? passes_rest(i, passes) : passes_one_by_one(i, passes);
    }
  }

  /// Returns whether the key passes the probes from i on. The function does not branch, because few
  /// nonmember keys reach probe i, and each branch would slow down the lookup of member keys.
  [[nodiscard, gnu::always_inline]] inline bool passes_rest(unsigned i,
                                                            const auto& passes) const noexcept {
    unsigned passes_all = 1;
    for (; i < num_hashes(); ++i) passes_all &= passes();
    return passes_all != 0;
  }

  /// Returns whether the key passes the probes from i on, with a branch per probe. The function is
  /// for designs in which a probe needs more time than a branch.
  [[nodiscard, gnu::always_inline]] inline bool passes_one_by_one(
      unsigned i, const auto& passes) const noexcept {
    for (; i < num_hashes(); ++i) {
      if (!passes()) return false;
    }
    return true;
  }

  [[gnu::always_inline]] inline auto insert_at(auto& cells, auto&& positions,
                                               [[maybe_unused]] const Digest& digest) noexcept {
    if constexpr (DrawsWords<Design>) {
      return Design::insert(cells, positions, Words(digest));
    } else {
      return Design::insert(cells, positions);
    }
  }

  [[gnu::always_inline]] inline bool erase_at(auto& cells, auto&& positions,
                                              [[maybe_unused]] const Digest& digest) noexcept {
    std::uint64_t& num_skipped = this->tally_.num_skipped_decrements;
    if constexpr (DrawsWords<Design>) {
      return this->counted(Design::erase(cells, positions, Words(digest), num_skipped));
    } else {
      return this->counted(Design::erase(cells, positions, num_skipped));
    }
  }

  enum class Update { kInsert, kErase };

  template <Update kUpdate>
  [[gnu::always_inline]] inline bool update_at(auto& cells, auto&& positions,
                                               const Digest& digest) noexcept {
    if constexpr (kUpdate == Update::kErase) {
      return erase_at(cells, positions, digest);
    } else {
      return insert_at(cells, positions, digest) != 0;
    }
  }

  /// Updates the keys of a chunk in array order. Returns a mask whose bit i is the result of the
  /// update of key i.
  template <Update kUpdate>
  std::uint64_t update_mask(std::span<const Digest> chunk) noexcept {
    return Cells::with_width(cells_, [&](auto& cells) -> std::uint64_t {
      if constexpr (kTakesDistinct) {
        return update_distinct<kUpdate>(chunk, cells);
      } else {
        return should_prefetch() ? update_ahead<kUpdate>(chunk, cells)
                                 : update_in_turn<kUpdate>(chunk, cells);
      }
    });
  }

  template <Update kUpdate, class View>
  std::uint64_t update_in_turn(std::span<const Digest> chunk, View& view) noexcept {
    auto cells = view.view();  // a copy, so that its pointer stays in a register
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      auto positions = positions_to_update(chunk[i]);
      mask |= static_cast<std::uint64_t>(update_at<kUpdate>(cells, positions, chunk[i])) << i;
    }
    return mask;
  }

  /// Updates the keys of a chunk in array order. Computes and prefetches the positions of the whole
  /// chunk before the first update.
  template <Update kUpdate, class View>
  std::uint64_t update_ahead(std::span<const Digest> chunk, View& view) noexcept {
    auto cells = view.view();
    const unsigned num_probes = num_hashes();
    assert(chunk.size() <= kUpdateKeys && num_probes <= kMaxNumHashes);
    std::array<std::uint64_t, kUpdateKeys * kMaxNumHashes> ahead;  // num_probes cells per key
    std::uint64_t* cell = ahead.data();
    for (const Digest& key : chunk) {
      auto positions = positions_of(key);
      for (unsigned i = 0; i < num_probes; ++i) {
        *cell = positions.next();
        cells.prefetch_to_write(*cell++);
      }
    }
    const std::uint64_t* first = ahead.data();
    return mask_of_each_key(chunk.size(), [&](std::size_t i) {
      const std::span<const std::uint64_t> of_key(first, num_probes);
      first += num_probes;
      return update_at<kUpdate>(cells, of_key, chunk[i]);
    });
  }

  /// Updates the keys of a chunk in array order, for designs with distinct positions. The positions
  /// of key i + kKeysAhead are computed and prefetched after the update of key i.
  template <Update kUpdate, class View>
  std::uint64_t update_distinct(std::span<const Digest> chunk, View& view) noexcept {
    auto cells = view.view();
    const std::uint64_t num_cells = cells_.size();
    const unsigned num_probes = num_hashes();
    const bool prefetches = should_prefetch();
    std::array<DistinctPositions, kKeysAhead> ahead;  // element i mod kKeysAhead is for key i
    const auto make = [&](std::size_t i) {
      DistinctPositions& key = ahead[i % kKeysAhead];
      P probes(chunk[i], num_cells);
      key.fill(num_probes, [&] { return probes.next(num_cells); });
      if (!prefetches) return;
      for (const std::uint64_t cell : key) cells_.prefetch_to_write(cell);
    };
    for (std::size_t i = 0; i < std::min(kKeysAhead, chunk.size()); ++i) make(i);
    return mask_of_each_key(chunk.size(), [&](std::size_t i) {
      DistinctPositions& key = ahead[i % kKeysAhead];
      key.drop_repeats();
      const bool answer = update_at<kUpdate>(cells, key, chunk[i]);
      if (i + kKeysAhead < chunk.size()) make(i + kKeysAhead);
      return answer;
    });
  }

  /// Lookup of one key, for BatchLookup.
  template <class View, class Derive>
  struct ProbeTest {
    struct ProbesWithWords {
      P probes;
      Words words;
    };

    // The states with and without Words are two types. If both were one struct, g++ 12 would keep
    // the design's members in memory instead of registers.
    using State = std::conditional_t<DrawsWords<Design>, ProbesWithWords, P>;

    [[nodiscard]] State start(const auto& key) const noexcept {
      const Digest& digest = derive(key);
      if constexpr (DrawsWords<Design>) {
        return {P(digest, num_cells), Words(digest)};
      } else {
        return P(digest, num_cells);
      }
    }

    [[nodiscard]] std::uint64_t cell(State& state, [[maybe_unused]] unsigned round) const noexcept {
      if constexpr (PlacesWords<Design>) {
        return design.position(state.next_word(), round);
      } else if constexpr (DrawsWords<Design>) {
        return state.probes.next(num_cells);
      } else {
        return state.next(num_cells);
      }
    }

    [[nodiscard]] bool passes([[maybe_unused]] State& state, std::uint64_t i) const noexcept {
      if constexpr (DrawsWords<Design>) {
        return design.passes(cells, i, state.words);
      } else {
        return design.passes(cells, i);
      }
    }

    void prefetch(std::uint64_t i) const noexcept { cells.prefetch_to_read(i); }

    Design design;  // a copy, so that its members are not loaded for every probe
    LocalCells<View> cells;
    std::uint64_t num_cells;
    Derive derive;
  };
};

}  // namespace bloometry
