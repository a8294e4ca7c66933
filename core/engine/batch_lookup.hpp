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

/// Membership of many keys at once, without a mispredicted branch per key: all keys look up their
/// first probes, then only those that passed them look up the next ones, and so on. A single lookup
/// exits after an unpredictable number of probes, and that misprediction costs more than all its
/// probes in a small filter.
namespace bloometry {

/// The lookup of one key, probe by probe. State is kept of the key between its probes; start(key)
/// makes it. cell is where probe number `round` looks, called for round = 0, 1, ... in turn; passes
/// returns whether the cell satisfies it, called for the cells in turn. Both may be called for a
/// key that did not pass, and cell for some rounds before passes.
template <class T>
concept CellTest = std::is_trivially_copyable_v<typename T::State> &&
    requires(const T& test, typename T::State& state, unsigned round, std::uint64_t cell) {
  { test.cell(state, round) } -> std::same_as<std::uint64_t>;
  { test.passes(state, cell) } -> std::same_as<bool>;
  test.prefetch(cell);
};

/// Looks up a chunk of keys: one probe of every key, then two at a time of those that passed. Half
/// of the absent keys end at the first; of the rest, a second probe costs less than one more round,
/// whose number of survivors no branch predictor knows. Whether cells are prefetched does not
/// change an answer.
///
/// The longer the chunk, the less of its time goes into the ends of rounds. 1e5 keys, k = 7, absent
/// keys, ns per key: chunks of 64 6.1, 128 4.4, 256 3.8, 512 3.5, whose states and digests then
/// fill half of an L1 cache.
template <CellTest Test>
class BatchLookup {
 public:
  /// Copying large states from round to round costs more than a mispredicted branch.
  static constexpr bool kByRounds = sizeof(typename Test::State) <= 64;

  explicit BatchLookup(const Test& test) noexcept : test_(test) {}

  /// Bit i of masks[i / 64] is whether keys[i] passes num_rounds probes; at most kMaxQueryKeys
  /// keys, as many masks as they need. The lines of round 0 should be prefetched before; those of
  /// later rounds are prefetched if `prefetches`.
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

  /// Room for a state, which need not have a default value.
  union Slot {
    Slot() noexcept {}

    State state;
  };

  /// Round 0; returns how many keys are left, as every round does.
  template <class Key>
  std::size_t start(std::span<const Key> keys) noexcept {
    const Test test = test_;  // its numbers in registers, whatever is stored
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      State state = test.start(keys[i]);
      const bool passed = test.passes(state, test.cell(state, 0));
      num_left = keep_if(passed, num_left, state, static_cast<std::uint16_t>(i));
    }
    return num_left;
  }

  /// kNumProbes rounds from this one on.
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

  /// Prefetches the cells of all survivors before one of them is tested.
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

  /// Writes in any case and counts if it passed: arithmetic instead of a branch.
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
  // The remaining keys, in their order.
  std::array<Slot, kByRounds ? kMaxQueryKeys : 1> slots_;
  std::array<std::array<std::uint64_t, 2>, kByRounds ? kMaxQueryKeys : 1> cells_;
  std::array<std::uint16_t, kByRounds ? kMaxQueryKeys : 1> numbers_;
};

}  // namespace bloometry
