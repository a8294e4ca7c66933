#pragma once

#include "experiments/cli/command_line/point_options.hpp"

namespace bloometry {

// exit_code.hpp states what every command returns and throws.
int size_command(const PointOptions& options);

}  // namespace bloometry
