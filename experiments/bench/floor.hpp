#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/store/memory.hpp"
#include "experiments/bench/operation.hpp"

namespace bloometry::bench {

/// The four floors: one random 64-byte line for each key, read or read and written, asked for as
/// the loop comes to it or 64 keys ahead. No filter that keeps a key in memory can do with less
/// than the one that its operation needs.
enum class Floor { kRead, kReadPrefetched, kUpdate, kUpdatePrefetched };

inline constexpr std::array kAllFloors = {Floor::kRead, Floor::kReadPrefetched, Floor::kUpdate,
                                          Floor::kUpdatePrefetched};

constexpr std::string_view name_of(Floor floor) noexcept {
  constexpr std::array<std::string_view, kAllFloors.size()> kNames = {
      "read", "read_prefetched", "update", "update_prefetched"};
  return kNames[static_cast<std::size_t>(floor)];
}

/// What an operation is held against: plain for single calls, prefetched for batches.
constexpr Floor floor_of(Op op, Call call) noexcept {
  if (call == Call::kSingle) return is_update(op) ? Floor::kUpdate : Floor::kRead;
  return is_update(op) ? Floor::kUpdatePrefetched : Floor::kReadPrefetched;
}

/// An array as large as the largest filter, made as their stores are; smaller filters take its
/// beginning.
class FloorArray {
 public:
  /// @throws std::bad_alloc
  explicit FloorArray(std::uint64_t num_bits);

  /// Touches num_keys random lines among the first num_bits bits; the line of a key is one
  /// multiplication of its number away. Returns a value that depends on every line read.
  std::uint64_t touch(Floor floor, std::uint64_t num_bits, std::uint64_t first_number,
                      std::uint64_t num_keys) noexcept;

 private:
  AlignedWords words_;
};

}  // namespace bloometry::bench
