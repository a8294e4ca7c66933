#pragma once

#include <string>

#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Returns the params as in a unit and a row: a JSON object with sorted keys and without spaces, or
/// {} without params.
[[nodiscard]] std::string params_text(const Params& params);

/// Returns the only size in a unit's spec as text, for example `num_bits=1024`.
[[nodiscard]] std::string size_text(const FilterSpec& spec);

}  // namespace bloometry
