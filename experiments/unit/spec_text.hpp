#pragma once

#include <string>

#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// {} or a JSON object, keys sorted, no spaces: the params of a unit and a row.
[[nodiscard]] std::string params_text(const Params& params);

/// The one size of a unit's spec: `num_bits=1024`.
[[nodiscard]] std::string size_text(const FilterSpec& spec);

}  // namespace bloometry
