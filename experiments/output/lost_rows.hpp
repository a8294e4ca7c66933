#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "experiments/output/run_folder.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the number of rows of a run that another config of the folder would drop from
/// trials.csv. A row remains if the config has a point with the same variant, size, keys, hash,
/// probes, params, churn, trial, n, k and number of queries. Such a point always has the same
/// counts, even in a unit with other points. Points with keys of a file must also have the largest
/// n of the unit in common, because it determines the lines that are queried.
/// @param units all units of the other config
[[nodiscard]] std::uint64_t count_lost_rows(const RunData& run, std::span<const Unit> units);

/// Returns the first fields in which two resolved configs differ, with both values, for example
/// `/queries (2000, not 1000)`, or `/grids/0/num_keys (without 200)` for a list. Fields that do not
/// change the rows are left out.
[[nodiscard]] std::string config_difference(const nlohmann::json& found,
                                            const nlohmann::json& wanted);

/// Checks that another config of the folder would not drop rows of the run from trials.csv.
/// @throws ConfigError with the folder, the number of lost rows and the fields that differ
void require_no_lost_rows(const RunData& run, const Config& config);

}  // namespace bloometry
