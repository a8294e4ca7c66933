#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bloometry::report {

/// Escapes text for an element or a quoted attribute, so that browsers do not interpret it as
/// markup.
[[nodiscard]] std::string escape_html(std::string_view text);

/// Returns JSON for a <script type="application/json"> element, without a `<` that could end it.
[[nodiscard]] std::string escape_json(const nlohmann::json& json);

/// Returns JavaScript for a <script> element. `</script` and `<!--` inside strings are escaped
/// without changing the strings' values.
[[nodiscard]] std::string escape_script(std::string_view source);

/// Replaces each {{name}} by its value, in one pass. Inserted text is not searched for names.
/// @throws std::out_of_range if a name does not have a value.
[[nodiscard]] std::string fill_template(std::string_view text,
                                        const std::map<std::string, std::string>& values);

}  // namespace bloometry::report
