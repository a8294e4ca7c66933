#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/bench/operation.hpp"

/// The choice of the keys that are inserted and queried. Keys are numbered, and different numbers
/// give different keys (a bijection). Every key number is queried at most once. Repeated queries
/// appear 4 to 10 times too fast, because the branch predictor and the cache adapt to repeated
/// keys. All filters receive the same keys.
namespace bloometry::bench {

/// Consecutive key numbers.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
};

/// Returns consecutive ranges of key numbers that do not overlap.
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

/// The members of one filling, in an order unrelated to the order of insertion. In the order of
/// insertion, the cells of the last keys would still be in a cache, so that queries would appear
/// too fast.
class MemberOrder {
 public:
  explicit MemberOrder(NumberRange members) noexcept;

  /// Returns a different member for every i < members.size. The number of members is at most 2^32.
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const noexcept;

 private:
  NumberRange members_;
  std::uint64_t step_;
};

/// Queries of a filter. The key of each query follows from the position of the query and is equal
/// for every filter.
struct Queries {
  Op op = Op::kNegative;
  Call call = Call::kSingle;
  std::uint64_t num_queries = 0;
  NumberRange absent{};            ///< key numbers of the queried nonmembers
  std::uint64_t first_member = 0;  ///< position of the first queried member in the member order

  /// Writes the key numbers at positions [from, from + numbers.size()). In a mix, every block has
  /// as many member keys as nonmember keys, in random order. A block of odd size has one more
  /// nonmember key.
  /// @param from even, so that in a mix the positions before `from` have as many member keys as
  /// nonmember keys
  void write(std::uint64_t from, const MemberOrder& members,
             std::span<std::uint64_t> numbers) const noexcept;
};

/// The queries of one op and call in one build. The timed queries follow the untimed warm-up
/// queries and have other keys.
struct QueryPass {
  unsigned num_threads = 1;
  Queries warm_up;
  Queries timed;
};

/// One build of every filter. A build fills and queries every filter, and empties the filters that
/// can erase.
struct Build {
  NumberRange members{};
  std::vector<QueryPass> passes;
};

/// The builds of one case. A repetition has num_builds builds, and a build has num_queries timed
/// queries for each op and call.
struct BuildPlan {
  std::uint64_t num_builds = 1;
  std::uint64_t num_queries = 0;
};

/// The number of warm-up queries of a pass is the number of its timed queries divided by
/// kWarmUpShare.
inline constexpr std::uint64_t kWarmUpShare = 4;

/// Returns the number of builds that are needed for num_queries queries per repetition without a
/// repeated member. A small filter is filled again instead of being queried for the same members.
/// @param num_thread_counts number of thread counts; a build repeats the queries for each thread
/// count
[[nodiscard]] BuildPlan plan_builds(std::uint64_t num_keys, std::uint64_t num_queries,
                                    std::size_t num_thread_counts = 1) noexcept;

/// Returns the next build. The passes of the build have the order of the given query ops and
/// numbers of threads.
[[nodiscard]] Build next_build(NumberSource& numbers, std::uint64_t num_keys,
                               std::uint64_t num_queries, std::span<const Op> ops,
                               std::span<const unsigned> threads);

/// Returns the order of the targets: 0, 1, ..., size - 1 rotated by `shift`.
[[nodiscard]] std::vector<std::size_t> rotated_order(std::size_t size, std::uint64_t shift);

}  // namespace bloometry::bench
