#pragma once

#include <nlohmann/json_fwd.hpp>

namespace bloometry {

/// Returns the JSON Schema (draft 2020-12) of a sweep's config, for completion in editors. Names,
/// ranges and defaults come from the lists and limits that the reader checks against. A config
/// that the reader accepts is valid; the reader knows more and also rejects what spans fields.
[[nodiscard]] nlohmann::ordered_json config_schema();

}  // namespace bloometry
