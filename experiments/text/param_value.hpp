#pragma once

#include <optional>
#include <string_view>

#include "core/contract/params.hpp"

namespace bloometry {

/// Returns the value that the text states for a parameter, as in `--param counter_bits=4`, or
/// nullopt if the parameter requires numbers and the text contains something else. Numbers have the
/// notation of number_notation.hpp. A list is `8,12` or `[8,12]`. The function check_param() checks
/// the value.
[[nodiscard]] std::optional<ParamValue> read_param(const ParamInfo& info, std::string_view text);

/// Returns the value of read_param().
/// @throws ConfigError naming the parameter, the given text and the allowed values.
[[nodiscard]] ParamValue parse_param(const ParamInfo& info, std::string_view text);

}  // namespace bloometry
