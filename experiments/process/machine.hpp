#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bloometry {

/// Returns a description of the build and of the machine: version, git_revision, compiler,
/// build_type, compiler_flags, cpu, isa (the instruction set in use), num_cpus, caches,
/// memory_bytes. A compiler or cpu that cannot be determined is "unknown".
[[nodiscard]] nlohmann::json describe_build_and_machine();

/// Returns the number of CPUs, at least 1, that this process may use within the limits of taskset
/// and cpusets.
[[nodiscard]] unsigned num_usable_cpus();

/// Returns the physical memory in bytes, or 0 if it is unknown.
[[nodiscard]] std::uint64_t machine_memory_bytes();

/// Returns the current time in UTC, in the form 2026-11-20T19:27:17Z.
[[nodiscard]] std::string utc_now();

}  // namespace bloometry
