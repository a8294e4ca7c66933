#include "core/hash/key_bytes.hpp"

#include <algorithm>

namespace bloometry {

void KeyBytes::grow(std::size_t size) {
  if (size > std::numeric_limits<std::size_t>::max() / 2 - size_) throw std::bad_alloc();
  const std::size_t capacity = std::max(2 * capacity_, size_ + size);
  auto heap = std::make_unique_for_overwrite<char[]>(capacity);
  std::memcpy(heap.get(), data(), size_);
  heap_ = std::move(heap);
  capacity_ = capacity;
}

}  // namespace bloometry
