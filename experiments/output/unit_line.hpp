#pragma once

#include <string>
#include <string_view>

#include "experiments/rows/unit_result.hpp"

namespace bloometry {

/// One finished unit as one line of a part file: {"rows":[...],"timing":{...}} and LF. Absent
/// columns are left out; a row's histogram is its field set_probe_counts, which rows of older lines
/// do not have. A line is whole or it is not there: LF comes last.
[[nodiscard]] std::string to_line(const UnitResult& result);

/// Reads such a line back, without its LF.
/// @throws ConfigError saying what is wrong: no JSON, a column that is unknown, missing or of
/// another type, rows of several units, no rows.
[[nodiscard]] UnitResult from_line(std::string_view line);

}  // namespace bloometry
