#pragma once

#include <string>
#include <vector>

namespace bloometry {

/// Runs a program found on PATH and waits for it. Passes exactly these arguments, without a shell.
/// The input is empty and the output is discarded.
/// @throws IoError in one line if the program is not installed (naming the Debian package), cannot
/// be started, or fails (with its last error line).
void run_program(const std::vector<std::string>& arguments, const std::string& debian_package);

}  // namespace bloometry
