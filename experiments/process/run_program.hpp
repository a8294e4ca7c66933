#pragma once

#include <string>
#include <vector>

namespace bloometry {

/// Runs a program found on PATH with exactly these arguments (no shell reads them), without input,
/// its output discarded, and waits for it.
/// @throws IoError in one line if it is not installed (named with what installs it), cannot be
/// started, or fails: then with the last line it wrote to standard error.
void run_program(const std::vector<std::string>& arguments, const std::string& debian_package);

}  // namespace bloometry
