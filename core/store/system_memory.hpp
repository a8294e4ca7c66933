#pragma once

#include <cstddef>
#include <cstdint>

/// Memory functions of the operating system. The source for Linux is system_memory_linux.cpp, and
/// the source for all other systems is system_memory_portable.cpp. The build selects the source.
namespace bloometry::system_memory {

/// Returns num_bytes > 0 bytes of zeroed memory that start at a multiple of 2 MiB, in huge pages if
/// the system supports huge pages. On Linux, the pages are allocated when they are accessed.
/// Returns a null pointer if the system does not provide the memory.
[[nodiscard]] void* map_zeroed(std::size_t num_bytes) noexcept;

/// Frees memory that map_zeroed returned. The argument num_bytes must be the size that was passed
/// to map_zeroed.
void unmap(void* memory, std::size_t num_bytes) noexcept;

/// Returns the size of the machine's physical memory in bytes, or 0 if the size is unknown. The
/// function ignores the limits of a container or of a job.
[[nodiscard]] std::uint64_t machine_bytes() noexcept;

}  // namespace bloometry::system_memory
