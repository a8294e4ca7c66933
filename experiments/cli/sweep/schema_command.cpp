#include <iostream>

#include "experiments/cli/command_line/commands.hpp"
#include "experiments/plan/config_schema.hpp"

namespace bloometry {

int sweep_schema_command() {
  std::cout << config_schema();
  return kDone;
}

}  // namespace bloometry
