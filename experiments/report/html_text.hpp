#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bloometry::report {

/// Text for an element or a quoted attribute: nothing in it is markup any more.
[[nodiscard]] std::string escape_html(std::string_view text);

/// JSON for a <script type="application/json"> element: no `<` is left that could end it.
[[nodiscard]] std::string escape_json(const nlohmann::json& json);

/// JavaScript for a <script> element: `</script` and `<!--` inside strings no longer end or open
/// anything, and mean the same.
[[nodiscard]] std::string escape_script(std::string_view source);

/// Replaces each {{name}} once, in one pass: what is put in is never looked at again.
/// @throws std::out_of_range if a name has no value.
[[nodiscard]] std::string fill_template(std::string_view text,
                                        const std::map<std::string, std::string>& values);

}  // namespace bloometry::report
