#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "variants/foreign/formats/formats.hpp"

namespace bloometry {

/// Returns the format with the name given to `theory`, or null if a variant has this name.
/// @throws ConfigError listing variants and formats if the name is unknown.
[[nodiscard]] const ForeignFormat* requested_format(std::string_view name);

/// Runs `bloometry theory` for another program's filter. Prints m and k of the filter, and the
/// known facts about its rate. Returns an ExitCode.
/// @throws ConfigError naming each option that is missing, superfluous or impossible.
int foreign_theory_command(const ForeignFormat& format, const PointOptions& options);

/// Prints a warning with the rate after num_keys keys if the program limits the size of the filter
/// so that this rate exceeds the target rate.
void warn_of_limited_size(const ForeignFormat& format, std::uint64_t num_keys, double rate);

/// Returns the sizes as text, such as "m = 9,585,088 bits (1.14 MiB), k = 7".
[[nodiscard]] std::string text_of(const ForeignSizes& sizes);

}  // namespace bloometry
