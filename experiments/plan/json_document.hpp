#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "experiments/plan/problem_list.hpp"

namespace bloometry {

/// A parsed JSON text and the duplicate names in the text. The parser of nlohmann/json does not
/// report duplicate names.
struct JsonDocument {
  nlohmann::json value;
  ProblemList problems;  ///< such as `/grids/0/params: has "counter_bits" twice`
};

/// Parses one JSON value.
/// @throws ConfigFileError with line and column if the text is not JSON, or if it has more than 64
/// levels
[[nodiscard]] JsonDocument parse_json(std::string_view text);

/// Returns the message of an exception of nlohmann/json without the prefix `[json.exception...]
/// parse error at ...: syntax error while parsing ... - `. reason_of() shortens the quoted input,
/// and writes commas instead of semicolons.
[[nodiscard]] std::string reason_of(const nlohmann::json::exception& error);

/// Returns the JSON text of a value for an error message, shortened if it is long.
[[nodiscard]] std::string shown_json(const nlohmann::json& value);

/// Returns a JSON pointer extended by one name. pointer_to() escapes `~` and `/` in the name (RFC
/// 6901).
[[nodiscard]] std::string pointer_to(std::string_view parent, std::string_view name);

}  // namespace bloometry
