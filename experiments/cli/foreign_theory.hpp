#pragma once

#include <string>
#include <string_view>

#include "experiments/cli/commands.hpp"
#include "variants/foreign/formats/formats.hpp"

namespace bloometry {

/// Returns the format with the name given to `theory`, or null if the name is that of a variant.
/// @throws ConfigError listing variants and formats if the name is neither.
[[nodiscard]] const ForeignFormat* requested_format(std::string_view name);

/// Runs `bloometry theory` for another program's filter. Prints its m and k, and the known facts
/// about its rate. Returns an ExitCode.
/// @throws ConfigError naming each option that is missing, superfluous or impossible.
int foreign_theory_command(const ForeignFormat& format, const PointOptions& options);

/// Returns "m = 9,585,088 bits (1.14 MiB), k = 7".
[[nodiscard]] std::string text_of(const ForeignSizes& sizes);

}  // namespace bloometry
