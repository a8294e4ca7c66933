#pragma once

#include <cstddef>
#include <cstdint>

/// What stores ask of the operating system. One source per system: system_memory_linux.cpp, and
/// system_memory_portable.cpp for all others; the build picks one.
namespace bloometry::system_memory {

/// Zeroed memory of num_bytes > 0 that starts at a multiple of 2 MiB, in huge pages where the
/// system has them. On Linux it costs nothing until it is touched. Null if the system refuses.
[[nodiscard]] void* map_zeroed(std::size_t num_bytes) noexcept;

/// Gives back what map_zeroed gave, of the same size.
void unmap(void* memory, std::size_t num_bytes) noexcept;

/// Physical memory of this machine; 0 if unknown. Limits of a container or of a job are not asked
/// for.
[[nodiscard]] std::uint64_t machine_bytes() noexcept;

}  // namespace bloometry::system_memory
