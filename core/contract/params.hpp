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

/// Value of a variant's parameter: a number, a string or a list of integers.
using ParamValue = std::variant<double, std::string, std::vector<std::int64_t>>;

/// Parameters by name. The names are the same in C++, JSON, `--param` and rows.
using Params = std::map<std::string, ParamValue, std::less<>>;

enum class ParamKind { kInteger, kReal, kText, kIntegerList };

/// Description of one parameter of a variant, with the limits of its value, the default and the
/// help text.
struct ParamInfo {
  std::string_view name{};
  ParamKind kind = ParamKind::kReal;
  std::string_view meaning{};
  double min = 0;                   ///< smallest allowed number
  double max = 0;                   ///< largest allowed number
  std::string_view choices{};       ///< allowed strings or integers, as a|b|c; may be empty
  bool has_default = true;          ///< false if an omitted parameter is absent
  double default_number = 0;        ///< default of a number
  std::string_view default_text{};  ///< default of a string
  bool is_capacity = false;         ///< whether the default in a config is the grid's capacity
};

/// Returns the value as text, such as `4`, `sticky` or `[8,12,14,15]`. A number has the digits from
/// which the same double is read.
[[nodiscard]] std::string to_string(const ParamValue& value);

/// Returns the description of the parameter with the given name, or nullptr.
[[nodiscard]] const ParamInfo* find_param(std::span<const ParamInfo> infos,
                                          std::string_view name) noexcept;

/// Checks a value against the limits of the variant. Returns the error message, such as `must be an
/// integer in [1, 16], got 17`, or an empty string if the value is valid.
[[nodiscard]] std::string check_param(const ParamInfo& info, const ParamValue& value);

/// Returns the parameters with every default filled in.
/// @throws ConfigError with a problem for each unknown name and invalid value.
[[nodiscard]] Params resolve_params(std::string_view variant, std::span<const ParamInfo> infos,
                                    const Params& given);

/// Returns the value of a parameter with a default. `resolved` must be the result of
/// resolve_params.
[[nodiscard]] double number_param(const Params& resolved, std::string_view name);
[[nodiscard]] const std::string& text_param(const Params& resolved, std::string_view name);

}  // namespace bloometry
