#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/store/memory.hpp"
#include "experiments/bench/operation.hpp"

namespace bloometry::bench {

/// The four floors access one random 64-byte line per key. Two floors read the line, and two floors
/// update the line. One floor of each pair prefetches the line 64 keys ahead. A filter that looks
/// up keys in memory cannot be faster than the floor of its operation.
enum class Floor { kRead, kReadPrefetched, kUpdate, kUpdatePrefetched };

inline constexpr std::array kAllFloors = {Floor::kRead, Floor::kReadPrefetched, Floor::kUpdate,
                                          Floor::kUpdatePrefetched};

constexpr std::string_view name_of(Floor floor) noexcept {
  constexpr std::array<std::string_view, kAllFloors.size()> kNames = {
      "read", "read_prefetched", "update", "update_prefetched"};
  return kNames[static_cast<std::size_t>(floor)];
}

/// Returns the floor of an operation: without prefetch for single calls, with prefetch for batches.
constexpr Floor floor_of(Op op, Call call) noexcept {
  if (call == Call::kSingle) return is_update(op) ? Floor::kUpdate : Floor::kRead;
  return is_update(op) ? Floor::kUpdatePrefetched : Floor::kReadPrefetched;
}

/// An array as large as the largest filter, allocated like the stores of filters. The floor of a
/// smaller filter uses only the first part of the array.
class FloorArray {
 public:
  /// Allocates the array. Throws std::bad_alloc if there is not enough memory.
  explicit FloorArray(std::uint64_t num_bits);

  /// Accesses num_keys random lines among the first num_bits bits. One multiplication of the key
  /// number determines the line of a key. Returns a value that depends on every line that was read.
  std::uint64_t touch(Floor floor, std::uint64_t num_bits, std::uint64_t first_number,
                      std::uint64_t num_keys) noexcept;

 private:
  AlignedWords words_;
};

}  // namespace bloometry::bench
