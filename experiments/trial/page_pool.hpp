#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/store/aligned_words.hpp"

namespace bloometry {

/// A block of memory that remembers how much of it was used. Moved, never copied.
class Pages {
 public:
  Pages() noexcept = default;

  /// @throws MemoryError if the memory is not to be had.
  explicit Pages(std::size_t num_bytes);
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;
  ~Pages() = default;

  [[nodiscard]] void* data() noexcept { return words_.data(); }

  [[nodiscard]] std::size_t size() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  /// Makes the first num_bytes zero, num_bytes <= size(). What was never asked for before is zero
  /// already and stays untouched.
  void clear(std::size_t num_bytes) noexcept;

 private:
  AlignedWords words_;
  std::size_t num_used_ = 0;  // bytes from here on are as the system gave them
};

/// Blocks that units hand on to each other, one for each thread that works: as many bytes are
/// touched as the largest tables take that were served together. The first touch of fresh pages
/// costs several times what zeroing old ones does. Thread-safe.
class PagePool {
 public:
  /// A block of at least num_bytes whose first num_bytes are zero.
  /// @throws MemoryError if the memory is not to be had.
  [[nodiscard]] Pages take(std::size_t num_bytes);

  void give_back(Pages pages);

 private:
  [[nodiscard]] Pages take_largest();

  std::mutex mutex_;
  std::vector<Pages> free_;
};

}  // namespace bloometry
