#pragma once

#include <string>
#include <string_view>

#include "core/contract/filter_spec.hpp"

namespace bloometry {

/// Returns the string as JSON, in quotes.
[[nodiscard]] std::string json_string(std::string_view text);

/// Returns the params in the form of Unit::params: a JSON object with sorted keys and without
/// spaces, or {} without params.
[[nodiscard]] std::string params_text(const Params& params);

/// Returns the name and value of the size in a unit's spec, for example `num_bits=1024`. A unit's
/// spec has one size.
[[nodiscard]] std::string size_text(const FilterSpec& spec);

}  // namespace bloometry
