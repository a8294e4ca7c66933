#pragma once

#include <string>
#include <string_view>

namespace bloometry {

/// Returns the reason why data with these first bytes are not text, such as `xz data`, or an empty
/// string. The test finds control characters, of which text has only tabs and line ends.
[[nodiscard]] std::string why_not_text(std::string_view start);

}  // namespace bloometry
