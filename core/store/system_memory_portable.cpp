#include <cstring>
#include <new>

#include "core/store/aligned_words.hpp"
#include "core/store/system_memory.hpp"

namespace bloometry::system_memory {

void* map_zeroed(std::size_t num_bytes) noexcept {
  void* const memory = ::operator new[](num_bytes, std::align_val_t{kHugePageBytes}, std::nothrow);
  if (memory != nullptr) std::memset(memory, 0, num_bytes);
  return memory;
}

void unmap(void* memory, std::size_t /*num_bytes*/) noexcept {
  ::operator delete[](memory, std::align_val_t{kHugePageBytes});
}

std::uint64_t machine_bytes() noexcept {
  return 0;
}

}  // namespace bloometry::system_memory
