#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "core/error.hpp"
#include "core/store/memory.hpp"

namespace bloometry {

/// size() counters of counter_bits (1..16) bits each, packed without gaps, owned or borrowed.
/// Counter i occupies the bits [i * counter_bits, (i+1) * counter_bits) of the little-endian bit
/// string, so memory is size() * counter_bits bits.
///
/// Values saturate at max_value() = 2^counter_bits - 1; what saturation means (sticky or not) is
/// the variant's business. A counter may straddle two words: it is reached by one unaligned 64-bit
/// access, for which one word of padding stands at the end.
template <class Memory = OwnedMemory>
class CounterArray {
 public:
  static constexpr unsigned kMaxCounterBits = 16;

  /// 64-bit words needed, padding included; whoever lends memory asks here.
  [[nodiscard]] static constexpr std::uint64_t num_words_for(std::uint64_t num_counters,
                                                             unsigned counter_bits) noexcept {
    return num_counters / 64 * counter_bits + (num_counters % 64 * counter_bits + 63) / 64 + 1;
  }

  /// @throws ConfigError if counter_bits is outside [1, 16].
  CounterArray(std::uint64_t num_counters, unsigned counter_bits, const Memory& memory = {})
      : words_(memory.take(num_words_for(num_counters, checked_bits(counter_bits)))),
        num_counters_(num_counters),
        counter_bits_(counter_bits),
        max_value_((1U << counter_bits) - 1) {}

  [[nodiscard]] unsigned get(std::uint64_t i) const noexcept {
    assert(i < num_counters_);
    const std::uint64_t bit = i * counter_bits_;
    return static_cast<unsigned>(load(bit / 8) >> (bit % 8)) & max_value_;
  }

  void set(std::uint64_t i, unsigned value) noexcept {
    assert(i < num_counters_ && value <= max_value_);
    const std::uint64_t bit = i * counter_bits_;
    std::uint64_t word = load(bit / 8);
    word &= ~(std::uint64_t{max_value_} << (bit % 8));
    word |= std::uint64_t{value} << (bit % 8);
    std::memcpy(bytes() + bit / 8, &word, sizeof word);
  }

  /// Adds amount, stopping at max_value(). Returns the new value.
  unsigned add_saturating(std::uint64_t i, unsigned amount) noexcept {
    const unsigned value = get(i);
    const unsigned sum = amount > max_value_ - value ? max_value_ : value + amount;
    set(i, sum);
    return sum;
  }

  /// Adds the counters of another array of the same size and width, each stopping at max_value().
  template <class M>
  void merge(const CounterArray<M>& other) noexcept {
    assert(other.size() == num_counters_ && other.counter_bits() == counter_bits_);
    for (std::uint64_t i = 0; i < num_counters_; ++i) add_saturating(i, other.get(i));
  }

  void clear() noexcept { std::fill_n(words_.data(), words_.size(), std::uint64_t{0}); }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_counters_; }

  [[nodiscard]] unsigned counter_bits() const noexcept { return counter_bits_; }

  [[nodiscard]] unsigned max_value() const noexcept { return max_value_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_counters_ * counter_bits_; }

  [[nodiscard]] std::uint64_t count_nonzero() const noexcept {
    return count_if([](unsigned value) { return value != 0; });
  }

  /// Number of counters that are non-zero here or in the other array, which has the same size.
  template <class M>
  [[nodiscard]] std::uint64_t count_nonzero_either(const CounterArray<M>& other) const noexcept {
    assert(other.size() == num_counters_);
    std::uint64_t num = 0;
    for (std::uint64_t i = 0; i < num_counters_; ++i)
      num += static_cast<std::uint64_t>((get(i) | other.get(i)) != 0);
    return num;
  }

  /// Number of counters whose value satisfies the predicate.
  template <class Predicate>
  [[nodiscard]] std::uint64_t count_if(Predicate predicate) const noexcept {
    std::uint64_t num = 0;
    for (std::uint64_t i = 0; i < num_counters_; ++i)
      num += static_cast<std::uint64_t>(predicate(get(i)));
    return num;
  }

  friend bool operator==(const CounterArray& a, const CounterArray& b) noexcept {
    return a.num_counters_ == b.num_counters_ && a.counter_bits_ == b.counter_bits_ &&
           std::equal(a.words_.data(), a.words_.data() + a.words_.size(), b.words_.data());
  }

 private:
  // A byte offset into 64-bit words is a bit offset only where the low byte comes first.
  static_assert(std::endian::native == std::endian::little);

  static unsigned checked_bits(unsigned counter_bits) {
    if (counter_bits < 1 || counter_bits > kMaxCounterBits) {
      throw ConfigError("counter_bits must be in [1, 16], got " + std::to_string(counter_bits));
    }
    return counter_bits;
  }

  [[nodiscard]] std::uint64_t load(std::uint64_t byte) const noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(words_.data()) + byte, sizeof word);
    return word;
  }

  [[nodiscard]] char* bytes() noexcept { return reinterpret_cast<char*>(words_.data()); }

  typename Memory::Words words_;
  std::uint64_t num_counters_;
  unsigned counter_bits_;
  unsigned max_value_;
};

}  // namespace bloometry
