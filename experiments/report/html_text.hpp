#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bloometry::report {

/// Escapes text for an element or a quoted attribute, so that browsers do not interpret the text as
/// markup.
[[nodiscard]] std::string escape_html(std::string_view text);

/// Returns JSON for a <script type="application/json"> element, without a `<` that could end the
/// element.
[[nodiscard]] std::string escape_json(const nlohmann::json& json);

/// Returns JavaScript for a <script> element. The function escapes `</script` and `<!--` inside
/// strings without changing the values of the strings.
[[nodiscard]] std::string escape_script(std::string_view source);

/// Replaces each {{name}} by the value of the name, in one pass. The function does not search
/// inserted text for names.
/// @throws std::out_of_range if a name does not have a value.
[[nodiscard]] std::string fill_template(std::string_view text,
                                        const std::map<std::string, std::string>& values);

}  // namespace bloometry::report
