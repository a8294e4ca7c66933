#pragma once

#include <string>
#include <vector>

namespace bloometry {

/// Runs a program from PATH and waits for its end. The program gets exactly the given arguments,
/// without a shell. The program's input is empty, and its output is discarded.
/// @throws IoError with a message of one line if the program is not installed, cannot be started or
/// fails. The message contains the Debian package if the program is not installed, otherwise an
/// error line of the program.
void run_program(const std::vector<std::string>& arguments, const std::string& debian_package);

}  // namespace bloometry
