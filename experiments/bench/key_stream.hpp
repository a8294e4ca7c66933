#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/bench/operation.hpp"

/// The choice of the keys that are inserted and queried. Keys are numbered, and different numbers
/// give different keys (a bijection). Every number is used once, so that queries are not repeated.
/// Repeated queries look 4 to 10 times too fast, because branch predictor and cache learn them. All
/// filters get the same keys.
namespace bloometry::bench {

/// Consecutive key numbers.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
};

/// Returns each number once.
class NumberSource {
 public:
  NumberRange next(std::uint64_t size) noexcept {
    const NumberRange range{next_, size};
    next_ += size;
    return range;
  }

 private:
  std::uint64_t next_ = 0;
};

/// The members of one filling, in an order unrelated to that of their insertion. Otherwise a filter
/// that keeps its last keys closest would look too fast.
class MemberOrder {
 public:
  explicit MemberOrder(NumberRange members) noexcept;

  /// Returns a different member for every i < size, which is at most 2^32.
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const noexcept;

 private:
  NumberRange members_;
  std::uint64_t step_;
};

/// Queries of a filter: their keys by position, the same for every filter.
struct Queries {
  Op op = Op::kNegative;
  Call call = Call::kSingle;
  std::uint64_t num_queries = 0;
  NumberRange absent{};            ///< numbers of the queried non-members
  std::uint64_t first_member = 0;  ///< position of the first queried member in the member order

  /// Writes the key numbers at positions [from, from + numbers.size()). In a mix every block has as
  /// many members as absent keys (one absent key more if it is odd), in random order.
  /// @param from even, so that the earlier part of a mix has as many members as absent keys
  void write(std::uint64_t from, const MemberOrder& members,
             std::span<std::uint64_t> numbers) const noexcept;
};

/// The queries of one op and call in one build: first untimed, then timed, with other keys.
struct QueryPass {
  unsigned num_threads = 1;
  Queries warm_up;
  Queries timed;
};

/// One build of every filter: it is filled, queried, and emptied if it can erase.
struct Build {
  NumberRange members{};
  std::vector<QueryPass> passes;
};

/// The builds of one case: `num_builds` builds of `num_queries` timed queries for each op and call
/// make up one repetition.
struct BuildPlan {
  std::uint64_t num_builds = 1;
  std::uint64_t num_queries = 0;
};

/// Divisor of the number of timed queries in a pass that gives its number of warm-up queries.
inline constexpr std::uint64_t kWarmUpShare = 4;

/// Returns as many builds as are needed for num_queries queries per repetition without a repeated
/// member. A small filter is filled again instead of being queried for the same members.
/// @param num_thread_counts how often a build repeats the queries: once for each number of threads
[[nodiscard]] BuildPlan plan_builds(std::uint64_t num_keys, std::uint64_t num_queries,
                                    std::size_t num_thread_counts = 1) noexcept;

/// Returns the next build for the given query ops and numbers of threads, in this order.
[[nodiscard]] Build next_build(NumberSource& numbers, std::uint64_t num_keys,
                               std::uint64_t num_queries, std::span<const Op> ops,
                               std::span<const unsigned> threads);

/// Returns 0, 1, ..., size - 1 rotated by `shift`: the order of the targets.
[[nodiscard]] std::vector<std::size_t> rotated_order(std::size_t size, std::uint64_t shift);

}  // namespace bloometry::bench
