#pragma once

#include <string>
#include <string_view>

#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// Returns a finished unit as one line of a part file and LF:
/// {"rows":[...],"timing":{...},"xxh3_128":"<32 hex digits>"}. The checksum is the content_hash of
/// the line without the last member and LF. Absent columns are omitted. The field set_probe_counts
/// of a row contains the row's histogram. Lines of older versions have neither this field nor a
/// checksum. The LF is written last, so a line is either complete or recognisably torn.
[[nodiscard]] std::string to_line(const UnitResult& result);

/// Parses a line of to_line(), with or without its LF. Does not compare the checksum.
/// @throws ConfigError if the line is not JSON, or if a column is unknown, is missing or has the
/// wrong type
/// @throws ConfigError if rows are missing or belong to several units
[[nodiscard]] UnitResult from_line(std::string_view line);

/// Checks the checksum of a line, if the line has one.
/// @throws ConfigError if a byte of the line was changed
void require_intact_line(std::string_view line);

}  // namespace bloometry
