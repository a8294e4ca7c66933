#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace bloometry {

/// Bytes of a cache line; stores start at such a boundary so that an aligned 64-byte block touches
/// one line.
inline constexpr std::size_t kCacheLineBytes = 64;

/// Bytes of a huge page. Arrays from this size on start at such a boundary and ask for huge pages:
/// random look-ups then take 10-30 % less time from 128 MiB on, and the first touch of a byte 60 %
/// less.
inline constexpr std::size_t kHugePageBytes = std::size_t{1} << 21U;

/// An owned, zeroed, cache-line aligned array of 64-bit words. A value: copying copies the words.
/// Moved-from it has none, and data() is an error that debug builds assert: this is where use of a
/// moved-from filter ends.
///
/// Up to 2 MiB it comes from operator new; above, straight from the system (system_memory.hpp):
/// zeros cost nothing until they are touched, and only what is touched takes memory.
///
/// A size beyond the machine's physical memory is refused before any memory is asked for: a system
/// that overcommits would grant it, and kill the process once it is filled. What fits the machine
/// but not what is free of it cannot be told beforehand; nor are limits of containers known.
class AlignedWords {
 public:
  AlignedWords() noexcept = default;

  /// @throws MemoryError, naming the size, if the memory is not to be had.
  explicit AlignedWords(std::uint64_t num_words);

  /// @throws as the constructor.
  AlignedWords(const AlignedWords& other);

  AlignedWords(AlignedWords&& other) noexcept
      : words_(std::move(other.words_)), num_words_(std::exchange(other.num_words_, 0)) {}

  AlignedWords& operator=(AlignedWords&& other) noexcept {
    words_ = std::move(other.words_);
    num_words_ = std::exchange(other.num_words_, 0);
    return *this;
  }

  /// Memory of equal size is used again. @throws as the constructor, and changes nothing then.
  AlignedWords& operator=(const AlignedWords& other);

  ~AlignedWords() = default;

  [[nodiscard]] std::uint64_t* data() noexcept {
    assert(words_ != nullptr && "moved-from: assign or destroy only");
    return words_.get();
  }

  [[nodiscard]] const std::uint64_t* data() const noexcept {
    assert(words_ != nullptr && "moved-from: assign or destroy only");
    return words_.get();
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_words_; }

 private:
  struct Release {
    std::size_t num_bytes;

    void operator()(std::uint64_t* words) const noexcept;
  };

  using Block = std::unique_ptr<std::uint64_t[], Release>;

  static Block allocate(std::uint64_t num_words);

  Block words_;
  std::uint64_t num_words_ = 0;
};

}  // namespace bloometry
