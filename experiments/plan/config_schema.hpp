#pragma once

#include <nlohmann/json_fwd.hpp>

namespace bloometry {

/// Returns the JSON Schema (draft 2020-12) of a sweep's config, for completion in editors. Names,
/// ranges and defaults come from the lists and limits that read_config() uses. Every config that
/// read_config() accepts is valid under the schema. In addition, read_config() rejects
/// inconsistencies between fields.
[[nodiscard]] nlohmann::ordered_json config_schema();

}  // namespace bloometry
