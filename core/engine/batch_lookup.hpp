#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "core/engine/batch_access.hpp"

/// Lookup of many keys at once, without a mispredicted branch per key. The first round looks up the
/// first probes of all keys. Each later round looks up the next probes of the keys that passed all
/// earlier rounds. In contrast, the lookup of a single key ends after an unpredictable number of
/// probes. In a small filter, the mispredicted branch at the end of a lookup needs more time than
/// all probes of the key.
namespace bloometry {

/// Lookup of one key, probe by probe. The function start(key) returns the State of the key between
/// its probes. The function `cell` returns the cell of probe number `round` and is called for round
/// = 0, 1, ... in this order. The function `passes` returns whether a cell passes its probe and is
/// called for the same cells in the same order. The caller may continue to call `cell` and `passes`
/// after a probe did not pass. The caller may also call `cell` for several rounds before the calls
/// of `passes`.
template <class T>
concept CellTest = std::is_trivially_copyable_v<typename T::State> &&
    requires(const T& test, typename T::State& state, unsigned round, std::uint64_t cell) {
  { test.cell(state, round) } -> std::same_as<std::uint64_t>;
  { test.passes(state, cell) } -> std::same_as<bool>;
  test.prefetch(cell);
};

/// Looks up a chunk of keys. The first round looks up one probe of every key, and each later round
/// looks up two probes of every key that passed. Half of the nonmember keys fail the first probe.
/// For the other keys, a second probe in the same round needs less time than one more round. The
/// branch predictor cannot predict the number of keys that pass a round.
///
/// In longer chunks, the mispredicted ends of rounds need a smaller share of the time. With 1e5
/// keys and k = 7, the time per nonmember key is 6.1 ns in chunks of 64 keys and 4.4 ns in chunks
/// of 128 keys. The time is 3.8 ns in chunks of 256 keys and 3.5 ns in chunks of 512 keys. The
/// largest chunk has 256 keys, because the states and digests of 512 keys would fill half of an L1
/// cache.
template <CellTest Test>
class BatchLookup {
 public:
  /// Whether keys are looked up in rounds. The copy of a larger state in each round would need more
  /// time than a mispredicted branch.
  static constexpr bool kByRounds = sizeof(typename Test::State) <= 64;

  explicit BatchLookup(const Test& test) noexcept : test_(test) {}

  /// Looks up at most kMaxQueryKeys keys. Sets bit i mod 64 of masks[i / 64] if keys[i] passes
  /// num_rounds probes, and clears the bit otherwise. If `prefetches` is true, the function
  /// prefetches the cache lines of all rounds but round 0, which the caller should prefetch.
  template <class Key>
  void run(std::span<const Key> keys, unsigned num_rounds, bool prefetches,
           std::uint64_t* masks) noexcept {
    assert(keys.size() <= kMaxQueryKeys);
    if constexpr (!kByRounds) {
      run_one_by_one(keys, num_rounds, masks);
    } else {
      std::size_t num_left = start(keys);
      unsigned round = 1;
      for (; round + 1 < num_rounds && num_left > 0; round += 2) {
        num_left = next<2>(round, num_left, prefetches);
      }
      if (round < num_rounds) num_left = next<1>(round, num_left, prefetches);
      write_masks(num_left, keys.size(), masks);
    }
  }

 private:
  using State = typename Test::State;

  /// Memory for a State, which may not have a default constructor.
  union Slot {
    Slot() noexcept {}

    State state;
  };

  /// Runs round 0. Returns the number of keys that passed.
  template <class Key>
  std::size_t start(std::span<const Key> keys) noexcept {
    const Test test = test_;  // a copy, so that its members stay in registers
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      State state = test.start(keys[i]);
      const bool passed = test.passes(state, test.cell(state, 0));
      num_left = keep_if(passed, num_left, state, static_cast<std::uint16_t>(i));
    }
    return num_left;
  }

  /// Looks up kNumProbes probes of each remaining key, from probe number `round` on. Returns the
  /// number of keys that passed.
  template <unsigned kNumProbes>
  std::size_t next(unsigned round, std::size_t num_keys, bool prefetches) noexcept {
    if (!prefetches) return look_up<kNumProbes>(round, num_keys);
    prefetch<kNumProbes>(round, num_keys);
    return look_up_prefetched<kNumProbes>(num_keys);
  }

  template <unsigned kNumProbes>
  std::size_t look_up(unsigned round, std::size_t num_keys) noexcept {
    const Test test = test_;
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < num_keys; ++i) {
      State state = slots_[i].state;
      unsigned passed = 1;
      for (unsigned j = 0; j < kNumProbes; ++j) {
        passed &= static_cast<unsigned>(test.passes(state, test.cell(state, round + j)));
      }
      num_left = keep_if(passed != 0, num_left, state, numbers_[i]);
    }
    return num_left;
  }

  /// Prefetches the cells of all remaining keys before the first key is tested.
  template <unsigned kNumProbes>
  void prefetch(unsigned round, std::size_t num_keys) noexcept {
    const Test test = test_;
    for (std::size_t i = 0; i < num_keys; ++i) {
      State state = slots_[i].state;
      for (unsigned j = 0; j < kNumProbes; ++j) {
        cells_[i][j] = test.cell(state, round + j);
        test.prefetch(cells_[i][j]);
      }
      slots_[i].state = state;
    }
  }

  template <unsigned kNumProbes>
  std::size_t look_up_prefetched(std::size_t num_keys) noexcept {
    const Test test = test_;
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < num_keys; ++i) {
      State state = slots_[i].state;
      unsigned passed = 1;
      for (unsigned j = 0; j < kNumProbes; ++j) {
        passed &= static_cast<unsigned>(test.passes(state, cells_[i][j]));
      }
      num_left = keep_if(passed != 0, num_left, state, numbers_[i]);
    }
    return num_left;
  }

  /// Stores the state and the index of a key. Returns num_left + 1 if the key passed, else
  /// num_left. The function also stores the state of a key that did not pass, so that it does not
  /// need a branch.
  std::size_t keep_if(bool passed, std::size_t num_left, const State& state,
                      std::uint16_t number) noexcept {
    std::construct_at(&slots_[num_left].state, state);
    numbers_[num_left] = number;
    return num_left + static_cast<std::size_t>(passed);
  }

  void write_masks(std::size_t num_left, std::size_t num_keys,
                   std::uint64_t* masks) const noexcept {
    std::size_t i = 0;
    for (std::size_t first = 0; first < num_keys; first += 64) {
      std::uint64_t mask = 0;
      for (; i < num_left && numbers_[i] < first + 64; ++i) {
        mask |= std::uint64_t{1} << (numbers_[i] % 64);
      }
      *masks++ = mask;
    }
  }

  template <class Key>
  void run_one_by_one(std::span<const Key> keys, unsigned num_rounds,
                      std::uint64_t* masks) const noexcept {
    for (std::size_t first = 0; first < keys.size(); first += 64) {
      std::uint64_t mask = 0;
      for (std::size_t i = first; i < std::min(first + 64, keys.size()); ++i) {
        mask |= static_cast<std::uint64_t>(passes_all(keys[i], num_rounds)) << (i % 64);
      }
      *masks++ = mask;
    }
  }

  template <class Key>
  [[nodiscard]] bool passes_all(const Key& key, unsigned num_rounds) const noexcept {
    State state = test_.start(key);
    for (unsigned round = 0; round < num_rounds; ++round) {
      if (!test_.passes(state, test_.cell(state, round))) return false;
    }
    return true;
  }

  Test test_;
  // States, cells and indices of the remaining keys, in the order of the keys.
  std::array<Slot, kByRounds ? kMaxQueryKeys : 1> slots_;
  std::array<std::array<std::uint64_t, 2>, kByRounds ? kMaxQueryKeys : 1> cells_;
  std::array<std::uint16_t, kByRounds ? kMaxQueryKeys : 1> numbers_;
};

}  // namespace bloometry
