#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/key_source_reader.hpp"

namespace bloometry {

/// Reads a parsed config. Problems are appended; the config is complete only if there were none.
[[nodiscard]] Config read_config(const nlohmann::json& value, const KeyFileAccess& files,
                                 std::vector<std::string>& problems);

}  // namespace bloometry
