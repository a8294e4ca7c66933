#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "core/filter/filter.hpp"

/// Membership of many keys at once, without a mispredicted branch a key: round i puts probe i of
/// those keys that passed all rounds before, and keeps those that pass it too. A key by itself ends
/// at a place that no predictor knows, which costs more than all its probes in a small filter.
namespace bloometry {

/// The question that a filter puts to a key. State is what is kept of the key between its probes;
/// start(key) makes it, of a digest or of whatever else start takes; cell is where probe number
/// `round` looks, called for round = 0, 1, ... in turn; passes says whether the cell satisfies it,
/// before the next is asked for. Where lines are prefetched, cell is called once more for a key
/// that did not pass.
template <class Q>
concept ProbingQuestion = std::is_trivially_copyable_v<typename Q::State> &&
    requires(const Q& question, typename Q::State& state, unsigned round, std::uint64_t cell) {
  { question.cell(state, round) } -> std::same_as<std::uint64_t>;
  { question.passes(state, cell) } -> std::same_as<bool>;
  question.prefetch(cell);
};

/// Puts a question to a chunk of keys. Whether cells are prefetched does not change an answer.
///
/// The longer the chunk, the less of its time goes into the ends of rounds, whose numbers of
/// survivors no branch predictor knows. 1e5 keys, k = 7, absent keys, ns per key: chunks of 64
/// 6.1, 128 4.4, 256 3.8, 512 3.5, whose states and digests then fill half of an L1 cache.
template <ProbingQuestion Question>
class SurvivorRounds {
 public:
  /// Copying large states from round to round costs more than a mispredicted branch.
  static constexpr bool kByRounds = sizeof(typename Question::State) <= 64;

  explicit SurvivorRounds(const Question& question) noexcept : question_(question) {}

  /// Bit i of masks[i / 64] is whether keys[i] passes num_rounds probes; at most kMaxQueryKeys
  /// keys, as many masks as they need. Cells of round 0 are expected on their way, those of later
  /// rounds are asked for if `prefetches`.
  template <class Key>
  void ask(std::span<const Key> keys, unsigned num_rounds, bool prefetches,
           std::uint64_t* masks) noexcept {
    assert(keys.size() <= kMaxQueryKeys);
    if constexpr (!kByRounds) {
      ask_one_by_one(keys, num_rounds, masks);
    } else {
      const std::size_t num_left =
          prefetches ? put_all_ahead(keys, num_rounds) : put_all(keys, num_rounds);
      write_masks(num_left, keys.size(), masks);
    }
  }

 private:
  using State = typename Question::State;

  /// Room for a state, which need not have a default value.
  union Slot {
    Slot() noexcept {}

    State state;
  };

  /// All rounds; returns how many keys are left, as every round does.
  template <class Key>
  std::size_t put_all(std::span<const Key> keys, unsigned num_rounds) noexcept {
    std::size_t num_asked = keys.size();
    std::size_t num_left = start(keys);
    for (unsigned round = 1; round < num_rounds && num_left > 0;) {
      const bool puts_two = round + 1 < num_rounds && most_passed(num_left, num_asked);
      num_asked = num_left;
      num_left = puts_two ? put_two(round, num_asked) : put(round, num_asked);
      round += puts_two ? 2 : 1;
    }
    return num_left;
  }

  template <class Key>
  std::size_t start(std::span<const Key> keys) noexcept {
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      State state = question_.start(keys[i]);
      const bool passed = question_.passes(state, question_.cell(state, 0));
      num_left = keep_if(passed, num_left, state, static_cast<std::uint16_t>(i));
    }
    return num_left;
  }

  std::size_t put(unsigned round, std::size_t num_asked) noexcept {
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < num_asked; ++i) {
      State state = slots_[i].state;
      const bool passed = question_.passes(state, question_.cell(state, round));
      num_left = keep_if(passed, num_left, state, numbers_[i]);
    }
    return num_left;
  }

  /// Whether the keys are mostly members, of which one probe more costs less than a round more.
  static bool most_passed(std::size_t num_left, std::size_t num_asked) noexcept {
    return 4 * num_left > 3 * num_asked;
  }

  /// This round and the next in one.
  std::size_t put_two(unsigned round, std::size_t num_asked) noexcept {
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < num_asked; ++i) {
      State state = slots_[i].state;
      const unsigned first = question_.passes(state, question_.cell(state, round)) ? 1 : 0;
      const unsigned second = question_.passes(state, question_.cell(state, round + 1)) ? 1 : 0;
      num_left = keep_if((first & second) != 0, num_left, state, numbers_[i]);
    }
    return num_left;
  }

  /// put_all with the lines of a round asked for in the round before: a key that passes asks for
  /// its next line, one that does not for that of the key before it once more, which costs no
  /// branch and nothing else. Memory is busy while keys are looked at, not only between rounds.
  template <class Key>
  std::size_t put_all_ahead(std::span<const Key> keys, unsigned num_rounds) noexcept {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      State state = question_.start(keys[i]);
      cells_[i] = question_.cell(state, 0);
      std::construct_at(&slots_[i].state, state);
      numbers_[i] = static_cast<std::uint16_t>(i);
    }
    std::size_t num_left = keys.size();
    for (unsigned round = 1; round <= num_rounds && num_left > 0; ++round) {
      num_left = round < num_rounds ? put_ahead(round, num_left) : put_last(num_left);
    }
    return num_left;
  }

  /// Looks at the cells that are known and makes those of `round`.
  std::size_t put_ahead(unsigned round, std::size_t num_asked) noexcept {
    std::size_t num_left = 0;
    std::uint64_t last = cells_[0];
    for (std::size_t i = 0; i < num_asked; ++i) {
      State state = slots_[i].state;
      const bool passed = question_.passes(state, cells_[i]);
      const std::uint64_t next = question_.cell(state, round);
      const std::uint64_t if_passed = std::uint64_t{0} - static_cast<std::uint64_t>(passed);
      last ^= (last ^ next) & if_passed;
      question_.prefetch(last);
      cells_[num_left] = next;
      num_left = keep_if(passed, num_left, state, numbers_[i]);
    }
    return num_left;
  }

  std::size_t put_last(std::size_t num_asked) noexcept {
    std::size_t num_left = 0;
    for (std::size_t i = 0; i < num_asked; ++i) {
      State state = slots_[i].state;
      const bool passed = question_.passes(state, cells_[i]);
      num_left = keep_if(passed, num_left, state, numbers_[i]);
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
  void ask_one_by_one(std::span<const Key> keys, unsigned num_rounds,
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
    State state = question_.start(key);
    for (unsigned round = 0; round < num_rounds; ++round) {
      if (!question_.passes(state, question_.cell(state, round))) return false;
    }
    return true;
  }

  Question question_;
  std::array<Slot, kByRounds ? kMaxQueryKeys : 1> slots_;
  std::array<std::uint64_t, kByRounds ? kMaxQueryKeys : 1> cells_;
  std::array<std::uint16_t, kByRounds ? kMaxQueryKeys : 1> numbers_;
};

}  // namespace bloometry
