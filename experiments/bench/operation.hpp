#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string_view>

namespace bloometry::bench {

/// The timed operation.
enum class Op { kInsert, kNegative, kMix, kPositive, kErase };

inline constexpr std::array kAllOps = {Op::kInsert, Op::kNegative, Op::kMix, Op::kPositive,
                                       Op::kErase};
inline constexpr std::array kQueryOps = {Op::kNegative, Op::kMix, Op::kPositive};

/// The kind of call: one key per call, or a block of keys in one call.
enum class Call { kSingle, kBatch };

inline constexpr std::array kAllCalls = {Call::kSingle, Call::kBatch};

/// The operation, call and number of threads of one measured time. If num_threads is above 1, the
/// threads call the same filter at the same time.
struct Figure {
  Op op = Op::kInsert;
  Call call = Call::kSingle;
  unsigned num_threads = 1;

  friend auto operator<=>(const Figure&, const Figure&) = default;
};

/// The type of keys: 64-bit integers, or text of kStringBytes bytes.
enum class KeyKind { kInteger, kString };

constexpr std::string_view name_of(Op op) noexcept {
  constexpr std::array<std::string_view, kAllOps.size()> kNames = {"insert", "negative", "mix",
                                                                   "positive", "erase"};
  return kNames[static_cast<std::size_t>(op)];
}

constexpr std::string_view name_of(Call call) noexcept {
  return call == Call::kSingle ? "single" : "batch";
}

/// Returns whether the operation writes to the filter.
constexpr bool is_update(Op op) noexcept {
  return op == Op::kInsert || op == Op::kErase;
}

}  // namespace bloometry::bench
