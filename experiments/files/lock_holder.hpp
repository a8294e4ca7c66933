#pragma once

#include <string>

#include "experiments/files/file_descriptor.hpp"

namespace bloometry {

/// Returns the process that holds a lock (flock) of the open file, such as `process 12
/// (bloometry)`, or `another process` if the system does not tell. Linux lists the locks in
/// /proc/locks. The list lacks locks of other machines, and the processes of other containers.
[[nodiscard]] std::string holder_of_lock(const FileDescriptor& file);

}  // namespace bloometry
