#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bloometry {

/// Returns the build and the machine of a run: version, git_revision, compiler, build_type,
/// compiler_flags, cpu, isa (the instruction set in use), num_cpus, caches, memory_bytes. Values
/// that cannot be determined are "unknown".
[[nodiscard]] nlohmann::json describe_build_and_machine();

/// Returns the number of CPUs that this process may run on, within the limits of taskset and
/// cpusets. At least 1.
[[nodiscard]] unsigned num_usable_cpus();

/// Returns the bytes of physical memory; 0 if unknown.
[[nodiscard]] std::uint64_t machine_memory_bytes();

/// Returns the current time, as 2026-11-20T19:27:17Z.
[[nodiscard]] std::string utc_now();

}  // namespace bloometry
