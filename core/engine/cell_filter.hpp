#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/engine/chunk_cells.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/filter_core.hpp"
#include "core/engine/key_cells.hpp"
#include "core/engine/key_positions.hpp"
#include "core/engine/survivor_rounds.hpp"
#include "core/filter/filter.hpp"
#include "core/probe/kept_probes.hpp"
#include "core/store/fold.hpp"

namespace bloometry {

namespace engine {

template <class Design>
consteval void check_erase() {
  using Positions = std::span<const std::uint64_t>;
  using Store = typename Design::Cells::template Store<OwnedMemory>;
  if constexpr (DrawsWords<Design>) {
    static_assert(
        requires(Design & design, Store & cells, Positions positions, typename Design::Words words,
                 std::uint64_t & num_skipped) {
          bool(design.erase(cells, positions, words, num_skipped));
        },
        "a design that promises erase needs it: bool erase(auto& cells, auto&& positions, Words "
        "words, std::uint64_t& num_skipped)");
  } else {
    static_assert(
        requires(Design & design, Store & cells, Positions positions, std::uint64_t & num_skipped) {
          bool(design.erase(cells, positions, num_skipped));
        },
        "a design that promises erase needs it: bool erase(auto& cells, auto&& positions, "
        "std::uint64_t& num_skipped)");
  }
}

/// What a design of cells must have.
template <class Design>
consteval bool is_cell_design() {
  check_description<Design>();
  check_settings<Design>();
  using Positions = std::span<const std::uint64_t>;
  using Store = typename Design::Cells::template Store<OwnedMemory>;
  if constexpr (DrawsWords<Design>) {
    using Words = typename Design::Words;
    static_assert(
        requires(Design & design, Store & cells, Positions positions, Words words) {
          bool(design.insert(cells, positions, words));
        },
        "a design needs insert, which updates the cells of a key and says whether it was certainly "
        "new: bool insert(auto& cells, auto&& positions, Words words)");
    static_assert(
        requires(const Design& design, const Store& cells, std::uint64_t i, Words words) {
          bool(design.passes(cells, i, words));
        },
        "a design needs passes, the test of one probe: "
        "bool passes(const auto& cells, std::uint64_t i, Words& words)");
  } else {
    static_assert(
        requires(Design & design, Store & cells, Positions positions) {
          bool(design.insert(cells, positions));
        },
        "a design needs insert, which updates the cells of a key and says whether it was certainly "
        "new: static bool insert(auto& cells, auto&& positions)");
    static_assert(
        requires(const Design& design, const Store& cells, std::uint64_t i) {
          bool(design.passes(cells, i));
        },
        "a design needs passes, the test of one probe: "
        "static bool passes(const auto& cells, std::uint64_t i)");
  }
  if constexpr (Design::kTraits.erase) check_erase<Design>();
  static_assert(
      requires(const Design& design, const Store& cells, FilterState& counts) {
        double(design.rate(ProbeModel::kWithReplacement, cells, counts, 1U));
      },
      "a design needs rate, that of an absent key given the cells: static double rate(ProbeModel "
      "model, const auto& cells, const FilterState& counts, unsigned num_hashes)");
  return true;
}

}  // namespace engine

/// The filter of a design whose probes may fall on any cell.
///
/// Any number of threads may query at once, one may insert or erase while none queries. With
/// Atomic memory, which bits have, any number may call insert, contains, num_set_probes, state and
/// estimate_count at once, all else alone (variants/standard/README.md, "Threads").
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
  static constexpr std::size_t kChunkKeys = kTakesDistinct ? kMaxChunkKeys : ChunkCells::kMaxKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;

  using Core::Core;
  using Core::num_bits;
  using Core::num_hashes;

  /// Updates the key's cells. True proves that the key was not in the filter before. Counters hold
  /// how often a key was inserted: twice needs two erases.
  bool insert(const Digest& digest) noexcept { return set_bits(digest) != 0; }

  /// insert that returns how many bits changed, for a filter that watches its fill: of designs
  /// whose insert counts them.
  auto set_bits(const Digest& digest) noexcept {
    auto positions = positions_to_update(digest);
    return Cells::with_width(
        cells_, [&](auto& cells)
                    __attribute__((always_inline)) { return insert_at(cells, positions, digest); });
  }

  /// True may be wrong, false never is, as long as only keys that are in the filter were erased.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return Cells::with_width(cells_, [&](const auto& cells) {
      auto positions = positions_of(digest);
      [[maybe_unused]] Words words(digest);
      if (num_hashes() == 0) return true;
      // Half of the absent keys end at the first probe, which the loop need not wait for.
      if (!passes_at(this->design(), cells, positions.next(), words)) return false;
      for (unsigned i = 1; i < num_hashes(); ++i) {
        if (!passes_at(this->design(), cells, positions.next(), words)) return false;
      }
      return true;
    });
  }

  /// Takes the key out; returns whether it did. Refused, changing nothing, where the cells prove
  /// that the key is not in the filter. Only for keys that were inserted: erasing another key that
  /// tests positive damages members, and the filter cannot know.
  bool erase(const Digest& digest) noexcept requires(Design::kTraits.erase) {
    auto positions = positions_to_update(digest);
    return Cells::with_width(
        cells_, [&](auto& cells)
                    __attribute__((always_inline)) { return erase_at(cells, positions, digest); });
  }

  /// How many of the key's k probes fall on cells that are not zero, repeats counted each time.
  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    for (const std::uint64_t i : positions_of(digest)) {
      num_set += static_cast<unsigned>(Cells::is_set(cells_, i));
    }
    return num_set;
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept { return cells_.pays_to_prefetch(); }

  /// Asks for the line that a query starts with, half of which go no further (updates ask for their
  /// own).
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kQuery) cells_.prefetch_to_read(positions_of(digest).next());
  }

  /// Asks for all lines of a key that is about to be inserted.
  void prefetch_insert(const Digest& digest) const noexcept {
    for (const std::uint64_t i : positions_of(digest)) cells_.prefetch_to_write(i);
  }

  /// insert of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    return update_mask<Update::kInsert>(chunk);
  }

  /// erase of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept requires(Design::kTraits.erase) {
    return update_mask<Update::kErase>(chunk);
  }

  /// Bit i is contains of the chunk's key i.
  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    std::uint64_t mask = 0;
    contains_masks(chunk, &mask);
    return mask;
  }

  /// The same of up to kQueryKeys keys: bit i of masks[i / 64]. derive makes the digest of a key:
  /// keys may be digests, those of another filter, or what is hashed as it is looked up.
  template <class Key = Digest, class Derive = std::identity>
  void contains_masks(std::span<const Key> keys, std::uint64_t* masks,
                      Derive derive = {}) const noexcept {
    Cells::with_width(cells_, [&](auto& cells) {
      using Test = ProbeTest<std::remove_reference_t<decltype(cells)>, Derive>;
      SurvivorRounds rounds(Test{KeptProbes<P>(cells_.size()), this->design(), cells, derive});
      rounds.ask(keys, num_hashes(), pays_to_prefetch(), masks);
    });
  }

  /// The filter of the same keys with m / divisor cells, bit for bit as if built so: its rate is
  /// that of the smaller size. Owns its memory. Only with schemes that have a fold rule.
  /// @throws ConfigError unless divisor divides m, or what the design says instead.
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

  using Core::cells_;
  using Positions = KeyPositions<Design, P>;
  using Words = engine::WordsOf<Design>;

  /// 8 keys of 7 probes ask for 56 lines, more than a core waits for at a time.
  static constexpr std::size_t kKeysAhead = 8;

  CellFilter(BitArray<Memory> cells, const Geometry& geometry) : Core(std::move(cells), geometry) {}

  [[nodiscard, gnu::always_inline]] inline Positions positions_of(
      const Digest& digest) const noexcept {
    return Positions(this->design(), digest, cells_.size(), num_hashes());
  }

  /// Calls with what makes the next position of the key, in the order of its probes.
  template <class Call>
  [[gnu::always_inline]] inline decltype(auto) with_next(const Digest& digest,
                                                         Call call) const noexcept {
    const KeptProbes<P> kept(cells_.size());
    auto state = kept.start(digest);
    return call([&] { return kept.next(state); });
  }

  /// The positions that an update of the key takes.
  [[nodiscard, gnu::always_inline]] inline auto positions_to_update(
      const Digest& digest) const noexcept {
    if constexpr (kTakesDistinct) {
      return with_next(digest, [this](auto next) { return KeyCells(num_hashes(), next); });
    } else {
      return positions_of(digest);
    }
  }

  // The hooks of the design, with the words of a key where it draws them.

  [[gnu::always_inline]] static inline bool passes_at(const Design& design, const auto& cells,
                                                      std::uint64_t i,
                                                      [[maybe_unused]] Words& words) noexcept {
    if constexpr (DrawsWords<Design>) {
      return design.passes(cells, i, words);
    } else {
      return design.passes(cells, i);
    }
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

  /// Updates the keys of a chunk in their order.
  template <Update kUpdate>
  std::uint64_t update_mask(std::span<const Digest> chunk) noexcept {
    return Cells::with_width(cells_, [&](auto& cells) -> std::uint64_t {
      return pays_to_prefetch() ? update_ahead<kUpdate>(chunk, cells)
                                : update_in_turn<kUpdate>(chunk, cells);
    });
  }

  template <Update kUpdate, class View>
  std::uint64_t update_in_turn(std::span<const Digest> chunk, View& view) noexcept {
    typename LocalCells<View>::Type cells = view;
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      auto positions = positions_to_update(chunk[i]);
      mask |= static_cast<std::uint64_t>(update_at<kUpdate>(cells, positions, chunk[i])) << i;
    }
    return mask;
  }

  /// The same with the cells of keys made and their lines asked for before it is their turn: of the
  /// whole chunk, or where positions are distinct of the next kKeysAhead keys.
  template <Update kUpdate, class View>
  std::uint64_t update_ahead(std::span<const Digest> chunk, View& view) noexcept {
    typename LocalCells<View>::Type cells = view;
    if constexpr (kTakesDistinct) {
      std::array<KeyCells, kKeysAhead> ahead;  // key i at i mod kKeysAhead
      const auto make = [&](std::size_t i) {
        KeyCells& key = ahead[i % kKeysAhead];
        with_next(chunk[i], [&](auto next) { key.fill(num_hashes(), next); });
        for (const std::uint64_t cell : key) cells_.prefetch_to_write(cell);
      };
      for (std::size_t i = 0; i < std::min(kKeysAhead, chunk.size()); ++i) make(i);
      return mask_of_each_key(chunk.size(), [&](std::size_t i) {
        const bool answer = update_at<kUpdate>(cells, ahead[i % kKeysAhead], chunk[i]);
        if (i + kKeysAhead < chunk.size()) make(i + kKeysAhead);
        return answer;
      });
    } else {
      const ChunkCells ahead(
          chunk, num_hashes(), [this](const Digest& key) { return P(key, cells_.size()); },
          [this](P& probes, unsigned i) { return position_of(this->design(), probes, i); },
          [this](std::uint64_t cell) { cells_.prefetch_to_write(cell); });
      return mask_of_each_key(chunk.size(), [&](std::size_t i) {
        return update_at<kUpdate>(cells, ahead.of(i), chunk[i]);
      });
    }
  }

  static std::uint64_t position_of(const Design& design, P& probes, unsigned i) noexcept {
    if constexpr (PlacesWords<Design>) {
      return design.position(probes.next_word(), i);
    } else {
      return probes.next();
    }
  }

  /// The lookup of one key: whether the cell of a probe passes it (SurvivorRounds).
  template <class View, class Derive>
  struct ProbeTest {
    using KeptState = typename KeptProbes<P>::State;

    struct StateWithWords {
      KeptState probes;
      Words words;
    };

    // Not one struct for both: the compiler keeps less in registers beside a struct.
    using State = std::conditional_t<DrawsWords<Design>, StateWithWords, KeptState>;

    [[nodiscard]] State start(const auto& key) const noexcept {
      const Digest& digest = derive(key);
      if constexpr (DrawsWords<Design>) {
        return {kept.start(digest), Words(digest)};
      } else {
        return kept.start(digest);
      }
    }

    [[nodiscard]] std::uint64_t cell(State& state, [[maybe_unused]] unsigned round) const noexcept {
      if constexpr (PlacesWords<Design>) {
        return design.position(kept.next_word(state), round);
      } else if constexpr (DrawsWords<Design>) {
        return kept.next(state.probes);
      } else {
        return kept.next(state);
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

    KeptProbes<P> kept;
    Design design;  // a copy: through a reference its numbers are loaded for every probe
    typename LocalCells<View>::Type cells;
    Derive derive;
  };
};

}  // namespace bloometry
