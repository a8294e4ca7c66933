#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/store/memory.hpp"
#include "core/store/prefetch.hpp"

namespace bloometry {

/// An array of size() counters of counter_bits (1..16) bits each, packed without gaps, in owned or
/// borrowed memory. Counter i occupies the bits [i * counter_bits, (i+1) * counter_bits) of the
/// little-endian bit string. The counters need size() * counter_bits bits of memory.
///
/// Values saturate at max_value() = 2^counter_bits - 1. The variant determines whether saturation
/// is sticky. Each access to a counter reads 32 bits. If the width is a power of two, they are
/// aligned, contain the counter and are in one cache line. For other widths, they start at the
/// first byte of the counter, and one word of padding follows the array.
template <class Memory = OwnedMemory>
class CounterArray {
  static_assert(std::is_same_v<typename Memory::WordAccess, PlainAccess>,
                "counters straddle words: atomic access is not supported");

 public:
  static constexpr unsigned kMaxCounterBits = 16;
  /// Template argument if the width is not a compile-time constant but counter_bits().
  static constexpr unsigned kAnyWidth = 0;

  /// Returns the number of 64-bit words that the counters need, including padding, for callers that
  /// provide the memory.
  [[nodiscard]] static constexpr std::uint64_t num_words_for(std::uint64_t num_counters,
                                                             unsigned counter_bits) noexcept {
    return num_counters / 64 * counter_bits + (num_counters % 64 * counter_bits + 63) / 64 + 1;
  }

  /// Constructs an array of counters with the value 0.
  /// @throws ConfigError if counter_bits is outside [1, 16].
  CounterArray(std::uint64_t num_counters, unsigned counter_bits, const Memory& memory = {})
      : words_(memory.allocate(num_words_for(num_counters, checked_bits(counter_bits)))),
        num_counters_(num_counters),
        counter_bits_(counter_bits),
        max_value_((1U << counter_bits) - 1),
        shift_mask_(shift_mask(counter_bits)) {}

  /// Returns a view of the array. Loops hold the view by value (core/store/memory.hpp).
  [[nodiscard]] auto view() noexcept { return view_of(words_.data()); }

  [[nodiscard]] auto view() const noexcept { return view_of(std::as_const(words_).data()); }

  /// Returns the value of counter i. If the width is a compile-time constant, pass the width as a
  /// template argument, because get<4>(i) needs half the instructions.
  template <unsigned kCounterBits = kAnyWidth>
  [[nodiscard]] unsigned get(std::uint64_t i) const noexcept {
    const Window window = window_of<kCounterBits>(i);
    return (load(window) >> window.shift) & max_value<kCounterBits>();
  }

  template <unsigned kCounterBits = kAnyWidth>
  void set(std::uint64_t i, unsigned value) noexcept {
    const unsigned max = max_value<kCounterBits>();
    assert(value <= max);
    const Window window = window_of<kCounterBits>(i);
    const std::uint32_t word = load(window);
    // An XOR with the difference of the old and the new value needs one shift less than a mask.
    store(window, word ^ ((word >> window.shift & max) ^ value) << window.shift);
  }

  /// Adds `amount` to counter i, up to max_value(). Returns the previous value of the counter.
  template <unsigned kCounterBits = kAnyWidth>
  unsigned add_saturating(std::uint64_t i, unsigned amount) noexcept {
    const unsigned max = max_value<kCounterBits>();
    const Window window = window_of<kCounterBits>(i);
    const std::uint32_t word = load(window);
    const unsigned value = (word >> window.shift) & max;
    store(window, word + (std::min(amount, max - value) << window.shift));
    return value;
  }

  /// Adds one to counter i, up to max_value(). Returns the previous value of the counter.
  template <unsigned kCounterBits = kAnyWidth>
  unsigned increment(std::uint64_t i) noexcept {
    const unsigned max = max_value<kCounterBits>();
    const Window window = window_of<kCounterBits>(i);
    const std::uint32_t word = load_rotated(window);
    const unsigned value = word & max;
    store_rotated(window, word + (value < max ? 1 : 0));
    return value;
  }

  /// Subtracts one from counter i unless its value is `stuck`. The counter must not be 0. Returns
  /// the previous value of the counter.
  template <unsigned kCounterBits = kAnyWidth>
  unsigned decrement_unless(unsigned stuck, std::uint64_t i) noexcept {
    const Window window = window_of<kCounterBits>(i);
    const std::uint32_t word = load_rotated(window);
    const unsigned value = word & max_value<kCounterBits>();
    assert(value > 0);
    store_rotated(window, word - (value == stuck ? 0 : 1));
    return value;
  }

  /// Prefetches the cache line of counter i.
  void prefetch_to_read(std::uint64_t i) const noexcept {
    bloometry::prefetch_to_read(bytes() + window_of(i).byte);
  }

  void prefetch_to_write(std::uint64_t i) const noexcept {
    bloometry::prefetch_to_write(bytes() + window_of(i).byte);
  }

  /// Returns whether the array exceeds kMinPrefetchBytes, so that batches should prefetch.
  [[nodiscard]] bool should_prefetch() const noexcept {
    return words_.size() * sizeof(std::uint64_t) > kMinPrefetchBytes;
  }

  /// Adds the counters of another array of the same size and width. Sums above max_value() become
  /// max_value().
  template <class M>
  void merge(const CounterArray<M>& other) noexcept {
    assert(other.size() == num_counters_ && other.counter_bits() == counter_bits_);
    for (std::uint64_t i = 0; i < num_counters_; ++i) add_saturating(i, other.get(i));
  }

  void clear() noexcept { std::fill_n(words_.data(), words_.size(), std::uint64_t{0}); }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_counters_; }

  [[nodiscard]] unsigned counter_bits() const noexcept { return counter_bits_; }

  template <unsigned kCounterBits = kAnyWidth>
  [[nodiscard]] unsigned max_value() const noexcept {
    assert(kCounterBits == kAnyWidth || kCounterBits == counter_bits_);
    return kCounterBits == kAnyWidth ? max_value_ : (1U << kCounterBits) - 1;
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_counters_ * counter_bits_; }

  [[nodiscard]] std::uint64_t count_nonzero() const noexcept {
    return count_counters([](unsigned value) { return value != 0; }, std::bit_or<>(), *this);
  }

  /// Returns the number of counters whose value is max_value().
  [[nodiscard]] std::uint64_t count_saturated() const noexcept {
    return count_counters([max = max_value_](unsigned value) { return value == max; },
                          std::bit_and<>(), *this);
  }

  /// Returns the number of counters that are non-zero in at least one of the two arrays. The arrays
  /// must have the same size and width.
  template <class M>
  [[nodiscard]] std::uint64_t count_nonzero_either(const CounterArray<M>& other) const noexcept {
    assert(other.size() == num_counters_ && other.counter_bits() == counter_bits_);
    return count_counters([](unsigned value) { return value != 0; }, std::bit_or<>(), *this, other);
  }

  /// Returns all words of the array. The bits after the last counter are 0.
  [[nodiscard]] std::span<const std::uint64_t> all_words() const noexcept {
    return {words_.data(), words_.size()};
  }

  [[nodiscard]] std::span<std::uint64_t> all_words() noexcept {
    return {words_.data(), words_.size()};
  }

  /// Returns the words with counters, without the padding. Filters that process a block of words at
  /// once call `words`. The width counter_bits must divide 64.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
    return {words_.data(), num_bits() / 64};
  }

  [[nodiscard]] std::span<std::uint64_t> words() noexcept {
    return {words_.data(), num_bits() / 64};
  }

  friend bool operator==(const CounterArray& a, const CounterArray& b) noexcept {
    return a.num_counters_ == b.num_counters_ && a.counter_bits_ == b.counter_bits_ &&
           std::equal(a.words_.data(), a.words_.data() + a.words_.size(), b.words_.data());
  }

 private:
  // A byte offset into 64-bit words equals a bit offset only if the low byte comes first.
  static_assert(std::endian::native == std::endian::little);

  template <class Word>
  [[nodiscard]] auto view_of(Word* words) const noexcept {
    using View = ViewMemory<Word, PlainAccess>;
    return CounterArray<View>(num_counters_, counter_bits_, View{{words, words_.size()}});
  }

  static unsigned checked_bits(unsigned counter_bits) {
    if (counter_bits < 1 || counter_bits > kMaxCounterBits) {
      throw ConfigError("counter_bits", "must be in [1, 16], got " + std::to_string(counter_bits));
    }
    return counter_bits;
  }

  /// Returns the number of i for which holds(value) is true, where the value is the OR of counter i
  /// of all arrays. If the width is a power of two, the function processes whole words: `fold`
  /// combines the bits of each counter in its lowest bit, which must be 1 if and only if
  /// holds(value) is true.
  std::uint64_t count_counters(auto holds, auto fold, const auto&... arrays) const noexcept {
    std::uint64_t num = 0;
    if (!std::has_single_bit(counter_bits_)) {
      for (std::uint64_t i = 0; i < num_counters_; ++i) num += holds((arrays.get(i) | ...)) ? 1 : 0;
      return num;
    }
    const std::uint64_t lowest_bits = ~std::uint64_t{0} / max_value_;
    const auto num_in = [&](std::uint64_t word) {
      for (unsigned shift = 1; shift < counter_bits_; shift *= 2) word = fold(word, word >> shift);
      return static_cast<unsigned>(std::popcount(word & lowest_bits));
    };
    const auto add_words = [&](const auto*... words) {
      const std::uint64_t num_whole = num_bits() / 64;
      for (std::uint64_t w = 0; w < num_whole; ++w) num += num_in((words[w] | ...));
      const std::uint64_t used_bits = (std::uint64_t{1} << num_bits() % 64) - 1;
      num += num_in((words[num_whole] | ...) & used_bits);
    };
    add_words(arrays.all_words().data()...);
    return num;
  }

  /// Position of the 32 bits that contain a counter, and position of the counter in these bits.
  struct Window {
    std::uint64_t byte;
    unsigned shift;
  };

  static constexpr unsigned shift_mask(unsigned counter_bits) noexcept {
    return std::has_single_bit(counter_bits) ? 31 : 7;
  }

  template <unsigned kCounterBits = kAnyWidth>
  [[nodiscard]] Window window_of(std::uint64_t i) const noexcept {
    assert(i < num_counters_);
    constexpr bool kIsKnown = kCounterBits != kAnyWidth;
    if constexpr (std::has_single_bit(kCounterBits)) {
      constexpr unsigned kPerWindow = 32 / kCounterBits;
      return {i / kPerWindow * 4, static_cast<unsigned>(i % kPerWindow) * kCounterBits};
    }
    const std::uint64_t bit = i * (kIsKnown ? kCounterBits : counter_bits_);
    const unsigned mask = kIsKnown ? shift_mask(kCounterBits) : shift_mask_;
    return {(bit & ~std::uint64_t{mask}) / 8, static_cast<unsigned>(bit) & mask};
  }

  [[nodiscard]] std::uint32_t load(const Window& window) const noexcept {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes() + window.byte, sizeof word);
    return word;
  }

  void store(const Window& window, std::uint32_t word) noexcept {
    std::memcpy(reinterpret_cast<char*>(words_.data()) + window.byte, &word, sizeof word);
  }

  /// Returns the window, rotated so that the counter is in the low bits. A constant can then be
  /// added without a shift. The other counters do not change if the sum is in the counter's range.
  [[nodiscard]] std::uint32_t load_rotated(const Window& window) const noexcept {
    return std::rotr(load(window), static_cast<int>(window.shift));
  }

  /// Stores a window that load_rotated returned.
  void store_rotated(const Window& window, std::uint32_t word) noexcept {
    store(window, std::rotl(word, static_cast<int>(window.shift)));
  }

  [[nodiscard]] const char* bytes() const noexcept {
    return reinterpret_cast<const char*>(words_.data());
  }

  typename Memory::Words words_;
  std::uint64_t num_counters_;
  unsigned counter_bits_;
  unsigned max_value_;
  unsigned shift_mask_;  // bit index & shift_mask_ is the shift in the window
};

}  // namespace bloometry
