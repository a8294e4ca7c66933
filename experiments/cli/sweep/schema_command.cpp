#include <iostream>

#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/plan/config_schema.hpp"

namespace bloometry {

int sweep_schema_command() {
  std::cout << config_schema();
  return kDone;
}

}  // namespace bloometry
