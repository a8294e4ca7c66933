#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "experiments/plan/problem_list.hpp"

namespace bloometry {

/// A JSON text as read: what nlohmann's own parser does not tell is that a name came twice.
struct JsonDocument {
  nlohmann::json value;
  ProblemList problems;  ///< `/grids/0/params: has "counter_bits" twice`
};

/// Parses one JSON value.
/// @throws ConfigFileError with line and column if the text is no JSON, or nests deeper than 64.
[[nodiscard]] JsonDocument parse_json(std::string_view text);

/// nlohmann's words without its own bookkeeping, `[json.exception...] parse error at ...: `; the
/// text that it read last is cut.
[[nodiscard]] std::string reason_of(const nlohmann::json::exception& error);

/// A JSON pointer one step further down; `~` and `/` in the name are escaped (RFC 6901).
[[nodiscard]] std::string pointer_to(std::string_view parent, std::string_view name);

}  // namespace bloometry
