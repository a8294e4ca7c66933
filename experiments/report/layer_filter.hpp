#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace bloometry::report {

/// Returns whether a Vega-Lite filter expression accepts the record. The function supports the
/// expressions of this folder's charts: terms joined by &&, where a term is datum.name,
/// !datum.name, isValid(datum.name), !isValid(datum.name), or a comparison of datum.name with a
/// number or a text in single quotes by >, == or !=. The form datum['name'] is equal to datum.name.
/// @throws std::logic_error if the expression has another form
[[nodiscard]] bool accepts(std::string_view expression, const nlohmann::json& record);

}  // namespace bloometry::report
