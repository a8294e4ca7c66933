#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/store/aligned_words.hpp"

namespace bloometry {

/// A block of memory that records how many of its bytes were used. A Buffer can be moved but not
/// copied.
class Buffer {
 public:
  Buffer() noexcept = default;

  /// Allocates zeroed memory. @throws MemoryError if the memory cannot be allocated
  explicit Buffer(std::size_t num_bytes);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer() = default;

  [[nodiscard]] void* data() noexcept { return words_.data(); }

  [[nodiscard]] std::size_t size() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  /// Sets the first num_bytes bytes to zero; num_bytes must be at most size(). The function does
  /// not write to bytes that were never used, because these bytes are zero.
  void clear(std::size_t num_bytes) noexcept;

 private:
  AlignedWords words_;
  std::size_t num_used_ = 0;  // the bytes from this offset on were never written
};

/// A pool of memory blocks that units reuse, with about one block per working thread. The pool is
/// useful because the first write to a new page is several times as slow as zeroing a used page.
/// The memory that units have written is at most the size of the largest tables in use at the same
/// time. A BufferPool is thread-safe.
class BufferPool {
 public:
  /// Returns a block of at least num_bytes bytes, of which the first num_bytes are zero. @throws
  /// MemoryError if the memory cannot be allocated
  [[nodiscard]] Buffer acquire(std::size_t num_bytes);

  void release(Buffer buffer);

 private:
  [[nodiscard]] Buffer acquire_largest();

  std::mutex mutex_;
  std::vector<Buffer> free_;
};

}  // namespace bloometry
