#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "experiments/plan/problem_list.hpp"

namespace bloometry {

/// A parsed JSON text, with its duplicate names, which nlohmann's own parser does not report.
struct JsonDocument {
  nlohmann::json value;
  ProblemList problems;  ///< `/grids/0/params: has "counter_bits" twice`
};

/// Parses one JSON value.
/// @throws ConfigFileError with line and column if the text is not JSON, or is nested deeper than
/// 64.
[[nodiscard]] JsonDocument parse_json(std::string_view text);

/// Returns nlohmann's message without its prefix `[json.exception...] parse error at ...: `; the
/// quoted input is shortened.
[[nodiscard]] std::string reason_of(const nlohmann::json::exception& error);

/// Returns a JSON pointer extended by one name; `~` and `/` in the name are escaped (RFC 6901).
[[nodiscard]] std::string pointer_to(std::string_view parent, std::string_view name);

}  // namespace bloometry
