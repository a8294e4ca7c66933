#pragma once

#include <string>

#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Returns the params of a unit and a row: {} or a JSON object with sorted keys, without spaces.
[[nodiscard]] std::string params_text(const Params& params);

/// Returns the size in a unit's spec, of which there is one: `num_bits=1024`.
[[nodiscard]] std::string size_text(const FilterSpec& spec);

}  // namespace bloometry
