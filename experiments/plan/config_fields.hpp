#pragma once

#include <string>
#include <vector>

#include "experiments/plan/chart_request.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/plan/field_table.hpp"
#include "experiments/plan/key_source_fields.hpp"

namespace bloometry {

/// Returns the fields of a config. load_config(), to_json() and config_schema() use the same
/// fields. A field of an object inside a config is in the table of that object.
[[nodiscard]] FieldTable<Config> config_fields(const KeyFileAccess& files);

/// A chart of the report.
[[nodiscard]] ConfigValue<ChartRequest> chart_value();

[[nodiscard]] std::vector<std::string> hash_names();

}  // namespace bloometry
