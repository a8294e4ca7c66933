#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/hash/key_view.hpp"
#include "core/hash/mix.hpp"

namespace bloometry {

/// The role of a key in a trial. A trial has two disjoint sets of keys: keys that are inserted, and
/// keys that are never inserted.
enum class KeyRole { kMember, kQuery };

/// Number of items per trial. Item numbers of members are even, and item numbers of queries are
/// odd. The item numbers of trial t start at t * 2^48. All sets of keys are therefore disjoint for
/// up to 2^47 keys per role and 2^16 trials.
inline constexpr std::uint64_t kItemsPerTrial = std::uint64_t{1} << 48U;

/// Returns the item number of key number `index` of a synthetic source.
[[nodiscard]] constexpr std::uint64_t item_number(KeyRole role, std::uint64_t index,
                                                  std::uint64_t trial) noexcept {
  return 2 * index + static_cast<std::uint64_t>(role == KeyRole::kQuery) + trial * kItemsPerTrial;
}

/// Key source "sequential". A key is the item number as 8 bytes little-endian. Sequential keys
/// resemble auto-increment ids. Weak hashes fail on sequential keys, because neighbouring keys
/// differ in few bits.
struct SequentialKeys {
  static constexpr std::size_t kMaxBytes = 8;

  static std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) noexcept {
    const IntegerKey key(item);
    std::memcpy(out.data(), key.view().data(), kMaxBytes);
    return kMaxBytes;
  }
};

/// Key source "decimal". A key is the item number in ASCII digits without leading zeros.
struct DecimalKeys {
  static constexpr std::size_t kMaxBytes = 20;  // number of digits of 2^64 - 1

  static std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) noexcept {
    const auto end = std::to_chars(out.data(), out.data() + out.size(), item).ptr;
    return static_cast<std::size_t>(end - out.data());
  }
};

/// Key source "url". A key is a fixed template with the item number in decimal digits. Url keys are
/// long and have a common prefix and suffix.
struct UrlKeys {
  static constexpr std::string_view kPrefix = "https://www.example.com/catalogue/item?id=";
  static constexpr std::string_view kSuffix = "&lang=en";
  static constexpr std::size_t kMaxBytes = kPrefix.size() + DecimalKeys::kMaxBytes + kSuffix.size();

  static std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) noexcept {
    std::memcpy(out.data(), kPrefix.data(), kPrefix.size());
    const std::size_t num_digits =
        DecimalKeys::write(item, out.subspan<kPrefix.size(), DecimalKeys::kMaxBytes>());
    const std::size_t end = kPrefix.size() + num_digits;
    std::memcpy(out.data() + end, kSuffix.data(), kSuffix.size());
    return end + kSuffix.size();
  }
};

/// Key source "random". A seeded bijection maps the item number to the key, which has 8 bytes in
/// little-endian order. Random keys look uniform. Different items have different keys, so members
/// and queries are disjoint without a check.
///
/// The bijection consists of two rounds of add and mix64. All trials of a run use the same seed.
/// The keys of different trials differ, because their item numbers differ.
class RandomKeys {
 public:
  static constexpr std::size_t kMaxBytes = SequentialKeys::kMaxBytes;

  explicit constexpr RandomKeys(std::uint64_t seed) noexcept : seed_(seed) {}

  [[nodiscard]] constexpr std::uint64_t value(std::uint64_t item) const noexcept {
    return mix64(mix64(item + seed_) + kRootTwoGamma);
  }

  std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) const noexcept {
    return SequentialKeys::write(value(item), out);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace bloometry
