#pragma once

#include <string>
#include <string_view>

#include "experiments/rows/unit_result.hpp"

namespace bloometry {

/// Returns one finished unit as one line of a part file: {"rows":[...],"timing":{...}} and LF.
/// Absent columns are omitted. A row's histogram is its field set_probe_counts, which rows of older
/// lines do not have. The LF comes last, so a line is either complete or recognisably torn.
[[nodiscard]] std::string to_line(const UnitResult& result);

/// Reads such a line, without its LF.
/// @throws ConfigError describing the error: not JSON, a column that is unknown, missing or of
/// another type, missing rows, rows of several units.
[[nodiscard]] UnitResult from_line(std::string_view line);

}  // namespace bloometry
