#pragma once

#include <cstddef>
#include <cstdint>

/// Memory functions of the operating system. There is one source per system:
/// system_memory_linux.cpp, and system_memory_portable.cpp for all others; the build selects one.
namespace bloometry::system_memory {

/// Returns zeroed memory of num_bytes > 0 that starts at a multiple of 2 MiB, in huge pages if the
/// system has them. On Linux the pages are allocated when they are accessed. Returns null if the
/// system does not provide the memory.
[[nodiscard]] void* map_zeroed(std::size_t num_bytes) noexcept;

/// Frees memory of map_zeroed, of the same size.
void unmap(void* memory, std::size_t num_bytes) noexcept;

/// Returns the physical memory of this machine; 0 if unknown. Ignores limits of a container or of a
/// job.
[[nodiscard]] std::uint64_t machine_bytes() noexcept;

}  // namespace bloometry::system_memory
