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

/// An array of num_bits bits in cache-line aligned 64-bit words, which are owned or borrowed. Bit i
/// of the array is bit i mod 64 of word i / 64.
///
/// With Atomic memory, any number of threads may call `set`, `test` and `count` at the same time.
/// For each bit, exactly one call of `set` then returns true. All operations other than `set`,
/// `test` and `count` need exclusive access.
template <class Memory = OwnedMemory>
class BitArray {
 public:
  /// Returns the number of 64-bit words that num_bits bits need, for callers that provide the
  /// memory.
  [[nodiscard]] static constexpr std::uint64_t num_words_for(std::uint64_t num_bits) noexcept {
    return num_bits / 64 + static_cast<std::uint64_t>(num_bits % 64 != 0);
  }

  explicit BitArray(std::uint64_t num_bits, const Memory& memory = {})
      : words_(memory.allocate(num_words_for(num_bits))), num_bits_(num_bits) {}

  /// Returns a view of the array. Loops hold the view by value (core/store/memory.hpp).
  [[nodiscard]] auto view() noexcept { return view_of(words_.data()); }

  [[nodiscard]] auto view() const noexcept { return view_of(std::as_const(words_).data()); }

  /// Sets bit i. Returns true if the bit was not set before.
  bool set(std::uint64_t i) noexcept {
    assert(i < num_bits_);
    const std::uint64_t mask = std::uint64_t{1} << (i % 64);
    return (WordAccess::fetch_or(words_.data()[i / 64], mask) & mask) == 0;
  }

  [[nodiscard]] bool test(std::uint64_t i) const noexcept {
    assert(i < num_bits_);
    return ((load(i / 64) >> (i % 64)) & 1U) != 0;
  }

  /// Prefetches the cache line of bit i.
  void prefetch_to_read(std::uint64_t i) const noexcept {
    bloometry::prefetch_to_read(words_.data() + i / 64);
  }

  void prefetch_to_write(std::uint64_t i) const noexcept {
    bloometry::prefetch_to_write(words_.data() + i / 64);
  }

  /// Returns whether the array exceeds kMinPrefetchBytes, so that batches should prefetch.
  [[nodiscard]] bool should_prefetch() const noexcept { return num_bits_ / 8 > kMinPrefetchBytes; }

  /// Sets every bit that is set in the other array. The arrays must have the same size.
  template <class M>
  void merge(const BitArray<M>& other) noexcept {
    assert(other.size() == num_bits_);
    std::uint64_t* words = words_.data();
    for (const std::uint64_t word : other.words()) *words++ |= word;
  }

  /// Keeps only bits that are also set in the other array. The arrays must have the same size.
  template <class M>
  void intersect(const BitArray<M>& other) noexcept {
    assert(other.size() == num_bits_);
    std::uint64_t* words = words_.data();
    for (const std::uint64_t word : other.words()) *words++ &= word;
  }

  /// Sets all bits to 0. The function writes zeros, because releasing the pages and allocating new
  /// pages would need twice the time.
  void clear() noexcept { std::fill_n(words_.data(), words_.size(), std::uint64_t{0}); }

  /// Sets the bits with index in [first, last) to 0.
  void clear(std::uint64_t first, std::uint64_t last) noexcept {
    assert(first <= last && last <= num_bits_);
    if (first == last) return;
    const std::uint64_t head = head_mask(first);
    const std::uint64_t tail = tail_mask(last);
    const std::uint64_t first_word = first / 64;
    const std::uint64_t last_word = (last - 1) / 64;
    std::uint64_t* words = words_.data();
    if (first_word == last_word) {
      words[first_word] &= ~(head & tail);
      return;
    }
    words[first_word] &= ~head;
    std::fill(words + first_word + 1, words + last_word, std::uint64_t{0});
    words[last_word] &= ~tail;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_bits_; }

  /// Returns the number of set bits.
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t ones = 0;
    for (const std::uint64_t& word : words()) ones += popcount(WordAccess::load(word));
    return ones;
  }

  /// Returns the number of set bits with index in [first, last).
  [[nodiscard]] std::uint64_t count(std::uint64_t first, std::uint64_t last) const noexcept {
    assert(first <= last && last <= num_bits_);
    if (first == last) return 0;
    const std::uint64_t head = head_mask(first);
    const std::uint64_t tail = tail_mask(last);
    const std::uint64_t first_word = first / 64;
    const std::uint64_t last_word = (last - 1) / 64;
    if (first_word == last_word) return popcount(load(first_word) & head & tail);
    std::uint64_t ones = popcount(load(first_word) & head) + popcount(load(last_word) & tail);
    for (std::uint64_t w = first_word + 1; w < last_word; ++w) ones += popcount(load(w));
    return ones;
  }

  /// Returns the number of bits that are set in at least one of the two arrays. The arrays must
  /// have the same size.
  template <class M>
  [[nodiscard]] std::uint64_t count_either(const BitArray<M>& other) const noexcept {
    assert(other.size() == num_bits_);
    const std::uint64_t* words = words_.data();
    std::uint64_t ones = 0;
    for (const std::uint64_t word : other.words()) ones += popcount(*words++ | word);
    return ones;
  }

  /// Returns all words of the array. The bits after bit num_bits - 1 are 0.
  [[nodiscard]] std::span<const std::uint64_t> all_words() const noexcept { return words(); }

  [[nodiscard]] std::span<std::uint64_t> all_words() noexcept { return words(); }

  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
    return {words_.data(), words_.size()};
  }

  /// Returns the words for writing, for filters that process a whole block of words at once.
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return {words_.data(), words_.size()}; }

  friend bool operator==(const BitArray& a, const BitArray& b) noexcept {
    return a.num_bits_ == b.num_bits_ &&
           std::equal(a.words().begin(), a.words().end(), b.words().begin());
  }

 private:
  using WordAccess = typename Memory::WordAccess;

  template <class Word>
  [[nodiscard]] auto view_of(Word* words) const noexcept {
    using View = ViewMemory<Word, WordAccess>;
    return BitArray<View>(num_bits_, View{{words, words_.size()}});
  }

  /// Returns the mask of the bits from bit `first` on, in the word of this bit.
  static constexpr std::uint64_t head_mask(std::uint64_t first) noexcept {
    return ~std::uint64_t{0} << (first % 64);
  }

  /// Returns the mask of the bits before bit `last`, in the word of the last of them.
  static constexpr std::uint64_t tail_mask(std::uint64_t last) noexcept {
    return ~std::uint64_t{0} >> (63 - (last - 1) % 64);
  }

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
