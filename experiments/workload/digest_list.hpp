#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "core/hash/digest.hpp"
#include "core/store/aligned_words.hpp"
#include "core/store/system_memory.hpp"

namespace bloometry {

/// An allocator for lists of digests. From 2 MiB on, the allocator uses huge pages. The memory of a
/// new list is uninitialised. With small pages, the first write to the memory of 20 million digests
/// was slower than hashing the keys.
template <class T>
struct UntouchedAllocator {
  using value_type = T;

  UntouchedAllocator() = default;

  template <class U>
  explicit UntouchedAllocator(const UntouchedAllocator<U>& /*other*/) noexcept {}

  [[nodiscard]] static T* allocate(std::size_t count) {
    if (!is_mapped(count)) return std::allocator<T>().allocate(count);
    void* const memory = system_memory::map_zeroed(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }

  static void deallocate(T* values, std::size_t count) noexcept {
    if (!is_mapped(count)) return std::allocator<T>().deallocate(values, count);
    system_memory::unmap(values, count * sizeof(T));
  }

  /// Leaves a default-constructed value uninitialised.
  static void construct(T* /*value*/) noexcept {}

  friend bool operator==(const UntouchedAllocator&, const UntouchedAllocator&) = default;

 private:
  [[nodiscard]] static bool is_mapped(std::size_t count) noexcept {
    return count >= kHugePageBytes / sizeof(T);
  }
};

/// A list of stored digests. A DigestList shares the list read-only.
using KeptDigests = std::vector<Digest, UntouchedAllocator<Digest>>;
using DigestList = std::shared_ptr<const KeptDigests>;

}  // namespace bloometry
