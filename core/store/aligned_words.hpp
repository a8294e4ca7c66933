#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace bloometry {

/// Number of bytes of a cache line. Stores start at a multiple of kCacheLineBytes, so an aligned
/// 64-byte block is in one cache line.
inline constexpr std::size_t kCacheLineBytes = 64;

/// Number of bytes of a huge page. Arrays of at least one huge page start at a multiple of
/// kHugePageBytes and request huge pages. With huge pages, random lookups in large arrays and the
/// first access to a byte are faster (core/decisions.md).
inline constexpr std::size_t kHugePageBytes = std::size_t{1} << 21U;

/// An owned, zeroed, cache-line aligned array of 64-bit words with value semantics. A copy has its
/// own words. A moved-from array is empty. In debug builds, data() asserts that the array is not
/// moved-from. The assertion detects every access to the cells of a moved-from filter.
///
/// Arrays below 2 MiB are allocated by operator new, and larger arrays by the system
/// (system_memory.hpp). On Linux, a page of a large array is not zeroed and does not use memory
/// before its first access.
///
/// The constructor throws before the allocation if the size exceeds the physical memory of the
/// machine. Without this check, a system that overcommits would return memory, and kill the process
/// later. The constructor does not detect sizes above the free memory or above the limit of a
/// container.
class AlignedWords {
 public:
  AlignedWords() noexcept = default;

  /// Allocates the words.
  /// @throws MemoryError with the size, if the memory cannot be allocated.
  explicit AlignedWords(std::uint64_t num_words);

  /// Copies the words.
  /// @throws the errors of the constructor
  AlignedWords(const AlignedWords& other);

  AlignedWords(AlignedWords&& other) noexcept
      : words_(std::move(other.words_)), num_words_(std::exchange(other.num_words_, 0)) {}

  AlignedWords& operator=(AlignedWords&& other) noexcept {
    words_ = std::move(other.words_);
    num_words_ = std::exchange(other.num_words_, 0);
    return *this;
  }

  /// Copies the words. Reuses the memory if the sizes are equal.
  /// @throws the errors of the constructor; the array is then unchanged
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
