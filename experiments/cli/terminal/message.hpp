#pragma once

#include <string_view>

namespace bloometry {

/// Writes `bloometry: <text>` to standard error as one line. The text may come from an untrusted
/// source, because printable() limits the length of the line and removes control characters.
void print_message(std::string_view text);

}  // namespace bloometry
