#include "experiments/bench/key_stream.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry::bench {
namespace {

/// Shuffles the numbers by the Fisher-Yates algorithm. The caller passes the position of the block
/// as the seed.
void shuffle(std::span<std::uint64_t> numbers, std::uint64_t seed) noexcept {
  for (std::size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[fastrange(mix64(seed + i * kGoldenGamma), i)]);
  }
}

/// Returns the number of members among the queries of a pass of the given op.
std::uint64_t num_members(Op op, std::uint64_t num_queries) {
  if (op == Op::kPositive) return num_queries;
  return op == Op::kMix ? num_queries / 2 : 0;
}

}  // namespace

MemberOrder::MemberOrder(NumberRange members) noexcept
    : members_(members), step_(fastrange(kGoldenGamma, members.size)) {
  // Steps of 0.618 n distribute the members evenly. A step that is coprime to n reaches every
  // member once.
  while (std::gcd(step_, members_.size) != 1) ++step_;
}

std::uint64_t MemberOrder::at(std::uint64_t i) const noexcept {
  return members_.first + i * step_ % members_.size;
}

void Queries::write(std::uint64_t from, const MemberOrder& members,
                    std::span<std::uint64_t> numbers) const noexcept {
  const std::uint64_t size = numbers.size();
  const std::uint64_t num_member_queries = num_members(op, size);
  const std::uint64_t members_before = num_members(op, from);
  for (std::uint64_t i = 0; i < num_member_queries; ++i) {
    numbers[i] = members.at(first_member + members_before + i);
  }
  std::iota(numbers.begin() + static_cast<std::ptrdiff_t>(num_member_queries), numbers.end(),
            absent.first + from - members_before);
  if (op == Op::kMix) shuffle(numbers, absent.first + from);
}

BuildPlan plan_builds(std::uint64_t num_keys, std::uint64_t num_queries,
                      std::size_t num_thread_counts) noexcept {
  // A build queries (1 + 1/4) * 2 * (1 + 1/2) = 3.75 members per query of one op and number of
  // threads. The factors are the warm-up, the two calls, and positive and mix.
  const std::uint64_t most = std::max<std::uint64_t>(num_keys / (4 * num_thread_counts), 1);
  const std::uint64_t per_build = std::min(most, num_queries);
  return {.num_builds = (num_queries + per_build - 1) / per_build, .num_queries = per_build};
}

Build next_build(NumberSource& numbers, std::uint64_t num_keys, std::uint64_t num_queries,
                 std::span<const Op> ops, std::span<const unsigned> threads) {
  Build build{.members = numbers.next(num_keys), .passes = {}};
  std::uint64_t next_member = 0;
  const auto queries_of = [&](Op op, Call call, std::uint64_t size) {
    const std::uint64_t num_member_queries = num_members(op, size);
    return Queries{.op = op,
                   .call = call,
                   .num_queries = size,
                   .absent = numbers.next(size - num_member_queries),
                   .first_member = std::exchange(next_member, next_member + num_member_queries)};
  };
  for (const unsigned num_threads : threads) {
    for (const Op op : ops) {
      for (const Call call : kAllCalls) {
        const Queries warm_up = queries_of(op, call, num_queries / kWarmUpShare);
        build.passes.push_back({.num_threads = num_threads,
                                .warm_up = warm_up,
                                .timed = queries_of(op, call, num_queries)});
      }
    }
  }
  return build;
}

std::vector<std::size_t> rotated_order(std::size_t size, std::uint64_t shift) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (size > 0) {
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shift % size),
                order.end());
  }
  return order;
}

}  // namespace bloometry::bench
