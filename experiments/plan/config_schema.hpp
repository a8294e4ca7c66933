#pragma once

#include <nlohmann/json_fwd.hpp>

namespace bloometry {

/// Returns the JSON Schema (draft 2020-12) of a sweep's config, for completion in editors. Names,
/// ranges and defaults come from the lists and limits of the reader. Every config that the reader
/// accepts is valid. The reader in addition rejects inconsistencies between fields.
[[nodiscard]] nlohmann::ordered_json config_schema();

}  // namespace bloometry
