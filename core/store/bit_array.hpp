#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>

#include "core/store/memory.hpp"
#include "core/store/prefetch.hpp"

namespace bloometry {

/// num_bits bits in cache-line aligned 64-bit words, owned or borrowed. Bit i is bit i mod 64 of
/// word i / 64.
///
/// With Atomic memory any number of threads may call set, test and count at once; every bit is then
/// new to exactly one call of set. All other operations need the array for themselves.
template <class Memory = OwnedMemory>
class BitArray {
 public:
  /// 64-bit words needed for num_bits bits; whoever lends memory asks here.
  [[nodiscard]] static constexpr std::uint64_t num_words_for(std::uint64_t num_bits) noexcept {
    return num_bits / 64 + static_cast<std::uint64_t>(num_bits % 64 != 0);
  }

  explicit BitArray(std::uint64_t num_bits, const Memory& memory = {})
      : words_(memory.take(num_words_for(num_bits))), num_bits_(num_bits) {}

  /// Sets bit i; true if it was not set before.
  bool set(std::uint64_t i) noexcept {
    assert(i < num_bits_);
    const std::uint64_t mask = std::uint64_t{1} << (i % 64);
    return (WordAccess::fetch_or(words_.data()[i / 64], mask) & mask) == 0;
  }

  [[nodiscard]] bool test(std::uint64_t i) const noexcept {
    assert(i < num_bits_);
    return ((load(i / 64) >> (i % 64)) & 1U) != 0;
  }

  /// Asks for the line of bit i, and does not wait for it.
  void prefetch_to_read(std::uint64_t i) const noexcept {
    bloometry::prefetch_to_read(words_.data() + i / 64);
  }

  void prefetch_to_write(std::uint64_t i) const noexcept {
    bloometry::prefetch_to_write(words_.data() + i / 64);
  }

  /// Whether it is large enough for that to pay.
  [[nodiscard]] bool should_prefetch() const noexcept { return num_bits_ / 8 > kMinPrefetchBytes; }

  /// Sets every bit that is set in the other array, which has the same size.
  template <class M>
  void merge(const BitArray<M>& other) noexcept {
    assert(other.size() == num_bits_);
    std::uint64_t* words = words_.data();
    for (const std::uint64_t word : other.words()) *words++ |= word;
  }

  /// Keeps only bits that are set in the other array too, which has the same size.
  template <class M>
  void intersect(const BitArray<M>& other) noexcept {
    assert(other.size() == num_bits_);
    std::uint64_t* words = words_.data();
    for (const std::uint64_t word : other.words()) *words++ &= word;
  }

  /// Fills, however large: to give the pages back and to take fresh ones costs twice that.
  void clear() noexcept { std::fill_n(words_.data(), words_.size(), std::uint64_t{0}); }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_bits_; }

  /// Number of set bits.
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t ones = 0;
    for (const std::uint64_t& word : words()) ones += popcount(WordAccess::load(word));
    return ones;
  }

  /// Number of set bits with index in [first, last).
  [[nodiscard]] std::uint64_t count(std::uint64_t first, std::uint64_t last) const noexcept {
    assert(first <= last && last <= num_bits_);
    if (first == last) return 0;
    const std::uint64_t head = ~std::uint64_t{0} << (first % 64);
    const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (last - 1) % 64);
    const std::uint64_t first_word = first / 64;
    const std::uint64_t last_word = (last - 1) / 64;
    if (first_word == last_word) return popcount(load(first_word) & head & tail);
    std::uint64_t ones = popcount(load(first_word) & head) + popcount(load(last_word) & tail);
    for (std::uint64_t w = first_word + 1; w < last_word; ++w) ones += popcount(load(w));
    return ones;
  }

  /// Number of bits set here or in the other array, which has the same size.
  template <class M>
  [[nodiscard]] std::uint64_t count_either(const BitArray<M>& other) const noexcept {
    assert(other.size() == num_bits_);
    const std::uint64_t* words = words_.data();
    std::uint64_t ones = 0;
    for (const std::uint64_t word : other.words()) ones += popcount(*words++ | word);
    return ones;
  }

  /// Every word that the array takes; bits behind the last one are 0.
  [[nodiscard]] std::span<const std::uint64_t> all_words() const noexcept { return words(); }

  [[nodiscard]] std::span<std::uint64_t> all_words() noexcept { return words(); }

  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
    return {words_.data(), words_.size()};
  }

  /// The same words to be changed: for filters that work on a block of them at once.
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return {words_.data(), words_.size()}; }

  friend bool operator==(const BitArray& a, const BitArray& b) noexcept {
    return a.num_bits_ == b.num_bits_ &&
           std::equal(a.words().begin(), a.words().end(), b.words().begin());
  }

 private:
  using WordAccess = typename Memory::WordAccess;

  [[nodiscard]] std::uint64_t load(std::uint64_t w) const noexcept {
    return WordAccess::load(words_.data()[w]);
  }

  static std::uint64_t popcount(std::uint64_t word) noexcept {
    return static_cast<std::uint64_t>(std::popcount(word));
  }

  typename Memory::Words words_;
  std::uint64_t num_bits_;
};

}  // namespace bloometry
