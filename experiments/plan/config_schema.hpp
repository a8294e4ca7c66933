#pragma once

#include <string>

namespace bloometry {

/// Returns the text of the JSON Schema (draft 2020-12) of a sweep's config, for completion in
/// editors. It derives from the field tables that load_config() uses. Every config that
/// load_config() accepts is valid under the schema. In addition, load_config() rejects
/// inconsistencies between fields.
[[nodiscard]] std::string config_schema();

}  // namespace bloometry
