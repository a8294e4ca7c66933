#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/requires_cpp20.hpp"

namespace bloometry {

/// Value of a variant's parameter: a number, a text or a list of integers.
using ParamValue = std::variant<double, std::string, std::vector<std::int64_t>>;

/// Parameters by name. The names are the same in C++, JSON, `--param` and rows.
using Params = std::map<std::string, ParamValue, std::less<>>;

enum class ParamKind { kInteger, kReal, kText, kIntegerList };

/// The description of one parameter of a variant: enough to check a value, fill in a default and
/// explain it to a user.
struct ParamInfo {
  std::string_view name{};
  ParamKind kind = ParamKind::kReal;
  std::string_view meaning{};
  double min = 0;                   ///< numbers: smallest value allowed
  double max = 0;                   ///< numbers: largest value allowed
  std::string_view choices{};       ///< the allowed texts or integers, as a|b|c; empty: no list
  bool has_default = true;          ///< false: if left out, the parameter is absent
  double default_number = 0;        ///< for numbers: the default
  std::string_view default_text{};  ///< for texts: the default
  bool is_capacity = false;         ///< in a config, the default is the capacity of the grid
};

/// Returns the shortest text that reads back as the same value: `4`, `sticky` or `[8,12,14,15]`.
[[nodiscard]] std::string to_string(const ParamValue& value);

/// Reads a value as written on a command line (`--param counter_bits=4`). The parameter's kind
/// decides how the text is read.
/// @throws ConfigError if the text is not a value of that kind.
[[nodiscard]] ParamValue parse_param(const ParamInfo& info, std::string_view text);

/// Checks one value against the limits of the variant. Returns the error text, or an empty text if
/// the value is valid: `must be an integer in [1, 16], got 17`.
[[nodiscard]] std::string check_param(const ParamInfo& info, const ParamValue& value);

/// Returns the parameters with every default filled in.
/// @throws ConfigError with a problem for each unknown name and invalid value.
[[nodiscard]] Params resolve_params(std::string_view variant, std::span<const ParamInfo> infos,
                                    const Params& given);

/// Returns a parameter that resolve_params has checked and that has a default.
[[nodiscard]] double number_param(const Params& resolved, std::string_view name);
[[nodiscard]] const std::string& text_param(const Params& resolved, std::string_view name);

}  // namespace bloometry
