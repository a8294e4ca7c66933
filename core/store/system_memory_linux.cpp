#include <sys/mman.h>
#include <unistd.h>

#include "core/store/aligned_words.hpp"
#include "core/store/system_memory.hpp"

namespace bloometry::system_memory {

void* map_zeroed(std::size_t num_bytes) noexcept {
  // The system aligns only to small pages. The function therefore maps more memory and unmaps the
  // parts before and after the aligned range.
  const std::size_t num_mapped = num_bytes + kHugePageBytes;
  if (num_mapped < num_bytes) return nullptr;
  void* const mapped =
      ::mmap(nullptr, num_mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const bytes = static_cast<char*>(mapped);
  const auto past = reinterpret_cast<std::uintptr_t>(mapped) % kHugePageBytes;
  char* const aligned = past == 0 ? bytes : bytes + (kHugePageBytes - past);
  if (aligned != bytes) ::munmap(bytes, static_cast<std::size_t>(aligned - bytes));
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  char* const end = aligned + (num_bytes + page - 1) / page * page;
  if (end < bytes + num_mapped) ::munmap(end, static_cast<std::size_t>(bytes + num_mapped - end));
  // The function ignores an error of madvise, because the memory is usable without huge pages.
  static_cast<void>(::madvise(aligned, num_bytes, MADV_HUGEPAGE));
  return aligned;
}

void unmap(void* memory, std::size_t num_bytes) noexcept {
  ::munmap(memory, num_bytes);
}

std::uint64_t machine_bytes() noexcept {
  const long num_pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (num_pages <= 0 || page_bytes <= 0) return 0;
  return static_cast<std::uint64_t>(num_pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace bloometry::system_memory
