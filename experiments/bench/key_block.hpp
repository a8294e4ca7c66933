#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/bench/operation.hpp"

namespace bloometry::bench {

/// Length of a string key in bytes. A string key consists of `key:` and 16 hex digits.
inline constexpr std::size_t kStringBytes = 20;

/// Maximum number of keys per block. The time of each block is measured separately. A block of
/// integers occupies 32 KiB, and a block of strings with their views occupies 144 KiB, so that keys
/// are in a cache. The time of reading the clock twice per block is negligible per key.
inline constexpr std::size_t kBlockKeys = 4096;

using IntegerKeys = std::span<const std::uint64_t>;
using StringKeys = std::span<const std::string_view>;

/// The name of string keys. integer_sources() returns the names of integer keys.
inline constexpr std::string_view kStrings = "string";

/// Returns the names of the keys that can be benchmarked: the names of the integer sources,
/// followed by kStrings.
[[nodiscard]] std::vector<std::string> all_bench_keys();

/// Returns the type of the keys.
/// @param keys one of all_bench_keys()
[[nodiscard]] constexpr KeyKind kind_of(std::string_view keys) noexcept {
  return keys == kStrings ? KeyKind::kString : KeyKind::kInteger;
}

/// Returns a description of the keys, such as "64-bit integers, random".
[[nodiscard]] std::string describe_keys(std::string_view keys);

/// A block of keys in the form in which callers pass keys to a filter. The keys are prepared before
/// the timing.
class KeyBlock {
 public:
  explicit KeyBlock(KeyKind kind);

  KeyBlock(const KeyBlock&) = delete;  // the views point into the block
  KeyBlock& operator=(const KeyBlock&) = delete;

  /// Returns the memory for the next block of at most kBlockKeys keys. The caller writes the keys
  /// as integers.
  [[nodiscard]] std::span<std::uint64_t> resize(std::size_t num_keys);

  /// Converts the integers to text if the keys are strings. Call finish() after writing the
  /// integers.
  void finish();

  /// Calls use(IntegerKeys) or use(StringKeys), depending on the kind of keys.
  template <class Use>
  decltype(auto) visit(Use use) const {
    if (kind_ == KeyKind::kInteger) return use(IntegerKeys(integers_));
    return use(StringKeys(views_));
  }

 private:
  KeyKind kind_;
  std::vector<std::uint64_t> integers_;
  std::vector<char> text_;
  std::vector<std::string_view> views_;
};

}  // namespace bloometry::bench
