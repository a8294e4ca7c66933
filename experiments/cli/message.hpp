#pragma once

#include <string_view>

namespace bloometry {

/// Writes `bloometry: <text>` to standard error as one line. Whatever untrusted text it contains,
/// the line has a bounded length and is free of control characters (printable).
void print_message(std::string_view text);

}  // namespace bloometry
