#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace bloometry {

/// Bytes of a cache line; stores start at such a boundary so that an aligned 64-byte block touches
/// one line.
inline constexpr std::size_t kCacheLineBytes = 64;

/// An owned, zeroed, cache-line aligned array of 64-bit words. A value: copying copies the words.
class AlignedWords {
 public:
  AlignedWords() noexcept = default;

  /// @throws std::bad_alloc if the memory is not to be had.
  explicit AlignedWords(std::uint64_t num_words)
      : words_(allocate(num_words)), num_words_(num_words) {
    std::fill_n(words_.get(), num_words_, std::uint64_t{0});
  }

  AlignedWords(const AlignedWords& other)
      : words_(allocate(other.num_words_)), num_words_(other.num_words_) {
    std::copy_n(other.words_.get(), num_words_, words_.get());
  }

  AlignedWords(AlignedWords&& other) noexcept
      : words_(std::move(other.words_)), num_words_(std::exchange(other.num_words_, 0)) {}

  AlignedWords& operator=(AlignedWords other) noexcept {
    words_ = std::move(other.words_);
    num_words_ = other.num_words_;
    return *this;
  }

  ~AlignedWords() = default;

  [[nodiscard]] std::uint64_t* data() noexcept { return words_.get(); }

  [[nodiscard]] const std::uint64_t* data() const noexcept { return words_.get(); }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_words_; }

 private:
  struct Release {
    void operator()(std::uint64_t* words) const noexcept {
      ::operator delete[](words, std::align_val_t{kCacheLineBytes});
    }
  };

  using Block = std::unique_ptr<std::uint64_t[], Release>;

  static Block allocate(std::uint64_t num_words) {
    // Above 2^57 words the size in bytes no longer fits; say so instead of wrapping to a small
    // array.
    if (num_words > (std::uint64_t{1} << 57U)) throw std::bad_alloc();
    return Block(static_cast<std::uint64_t*>(
        ::operator new[](num_words * sizeof(std::uint64_t), std::align_val_t{kCacheLineBytes})));
  }

  Block words_;
  std::uint64_t num_words_ = 0;
};

/// Memory policy of a store: it owns its words.
struct OwnedMemory {
  using Words = AlignedWords;

  [[nodiscard]] Words take(std::uint64_t num_words) const { return Words(num_words); }
};

/// Memory policy of a store: the words belong to somebody else (a mapped file, shared memory, an
/// arena) and outlive the store. Their content is kept: zero them for an empty filter.
struct BorrowedMemory {
  using Words = std::span<std::uint64_t>;

  Words words;

  /// @throws ConfigError if the span is shorter than the store needs, or not cache-line aligned.
  [[nodiscard]] Words take(std::uint64_t num_words) const {
    if (words.size() < num_words) {
      throw ConfigError("borrowed memory must have at least " + std::to_string(num_words) +
                        " words of 64 bits, got " + std::to_string(words.size()));
    }
    if (reinterpret_cast<std::uintptr_t>(words.data()) % kCacheLineBytes != 0) {
      throw ConfigError("borrowed memory must be aligned to " + std::to_string(kCacheLineBytes) +
                        " bytes");
    }
    return words.first(num_words);
  }
};

}  // namespace bloometry
