#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/bench/operation.hpp"

/// Which keys are inserted and asked. Keys are numbered; different numbers are different keys (a
/// bijection), and every number is handed out once, so that no key is asked twice and no query is a
/// replay: replayed queries look 4 to 10 times too fast, because branch predictor and cache learn
/// them. All filters get the same keys.
namespace bloometry::bench {

/// Consecutive key numbers.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
};

/// Hands out each number once.
class NumberSource {
 public:
  NumberRange take(std::uint64_t size) noexcept {
    const NumberRange range{next_, size};
    next_ += size;
    return range;
  }

 private:
  std::uint64_t next_ = 0;
};

/// The members of one filling, in an order that has nothing to do with that of their insertion: a
/// filter that keeps its last keys closest would look too good otherwise.
class MemberOrder {
 public:
  explicit MemberOrder(NumberRange members) noexcept;

  /// A different member for every i < size, which is at most 2^32.
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const noexcept;

 private:
  NumberRange members_;
  std::uint64_t step_;
};

/// Queries over a filter: their keys by position, the same for every filter.
struct Queries {
  Op op = Op::kNegative;
  Call call = Call::kSingle;
  std::uint64_t num_queries = 0;
  NumberRange absent{};            ///< numbers of the keys asked that are not members
  std::uint64_t first_member = 0;  ///< position in the member order of the first member asked

  /// Writes the key numbers at positions [from, from + numbers.size()). In a mix every block has as
  /// many members as absent keys (one absent key more if it is odd), in random order.
  /// @param from even, so that a mix has asked as many members as absent keys before
  void write(std::uint64_t from, const MemberOrder& members,
             std::span<std::uint64_t> numbers) const noexcept;
};

/// What is asked by one op and call in one life: first untimed, then timed, with other keys.
struct QueryPass {
  unsigned num_threads = 1;
  Queries warm_up;
  Queries timed;
};

/// One life of every filter: it is filled, asked, and emptied if it can erase.
struct Life {
  NumberRange members{};
  std::vector<QueryPass> passes;
};

/// How one case is cut into lives: `num_lives` lives of `num_queries` timed queries for each op and
/// call make up one repetition.
struct LifePlan {
  std::uint64_t num_lives = 1;
  std::uint64_t num_queries = 0;
};

/// Passes warm up with a quarter as many queries as they time.
inline constexpr std::uint64_t kWarmUpShare = 4;

/// As many lives as it takes to ask num_queries times per repetition with no member asked twice.
/// A small filter is filled again and again rather than asked for the same members.
/// @param num_thread_counts how often a life asks them: once for each number of threads
[[nodiscard]] LifePlan plan_lives(std::uint64_t num_keys, std::uint64_t num_queries,
                                  std::size_t num_thread_counts = 1) noexcept;

/// The next life, for those query ops and numbers of threads, in this order.
[[nodiscard]] Life next_life(NumberSource& numbers, std::uint64_t num_keys,
                             std::uint64_t num_queries, std::span<const Op> ops,
                             std::span<const unsigned> threads);

/// 0, 1, ..., size - 1 from `shift` on, round and round: who comes when.
[[nodiscard]] std::vector<std::size_t> rotated_order(std::size_t size, std::uint64_t shift);

}  // namespace bloometry::bench
