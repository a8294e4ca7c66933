#pragma once

#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// Reports a config with too many rows. Otherwise, reports every grid with a variant that rejects
/// its values or one of the probe schemes.
/// @param root config whose member `grids` contains config.grids, in the same order
void check_grids(const ConfigField& root, const Config& config);

/// Returns the default of `probes`: the default scheme that all variants of all grids have in
/// common. The default is empty if the default schemes of the variants differ (probes_of).
[[nodiscard]] std::vector<std::string> default_probes(const std::vector<Grid>& grids);

/// Returns the names of the probe schemes of all variants.
[[nodiscard]] std::vector<std::string> all_scheme_names();

}  // namespace bloometry
