#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/key_source_reader.hpp"
#include "experiments/plan/problem_list.hpp"

namespace bloometry {

/// Reads a parsed config and adds its problems to `problems`. If the config does not have problems,
/// the result is complete.
[[nodiscard]] Config read_config(const nlohmann::json& value, const KeyFileAccess& files,
                                 ProblemList& problems);

}  // namespace bloometry
