#pragma once

#include <string_view>

namespace bloometry {

/// Writes `bloometry: <text>` to standard error as one line. Whatever a stranger put into the text,
/// the line is bounded and free of control characters (printable).
void print_message(std::string_view text);

}  // namespace bloometry
