#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bloometry {

/// What made a run: version, git_revision, compiler, build_type, compiler_flags, cpu, isa (the
/// instruction set in use), num_cpus, caches, memory_bytes. What cannot be found out is "unknown".
[[nodiscard]] nlohmann::json describe_build_and_machine();

/// CPUs that this process may run on: taskset and cpusets count. At least 1.
[[nodiscard]] unsigned num_usable_cpus();

/// Physical memory; 0 if unknown.
[[nodiscard]] std::uint64_t machine_memory_bytes();

/// Now, as 2026-11-20T19:27:17Z.
[[nodiscard]] std::string utc_now();

}  // namespace bloometry
