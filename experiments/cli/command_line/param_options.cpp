#include "experiments/cli/command_line/param_options.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/text/param_value.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Texts of parameters by name, in the order of the options.
using Assignments = std::vector<std::pair<std::string, std::string>>;

Assignments split(std::span<const std::string> assignments) {
  Assignments parts;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ConfigError(fmt::format("--param must be name=value, got '{}'", assignment));
    }
    std::string name = assignment.substr(0, equals);
    if (std::ranges::any_of(parts, [&](const auto& part) { return part.first == name; })) {
      throw ConfigError(fmt::format("--param {} must be given once, got 2 values", name));
    }
    parts.emplace_back(std::move(name), assignment.substr(equals + 1));
  }
  return parts;
}

std::vector<std::string_view> names_of_params(const VariantInfo& variant) {
  std::vector<std::string_view> names;
  for (const ParamInfo& info : variant.params) names.push_back(info.name);
  return names;
}

/// Throws ConfigError if the name is that of a size or count, which has its own option.
/// @param who_lacks beginning of the reason, such as "counting does not have"
void require_no_option(std::string_view name, std::span<const OptionName> options,
                       std::string_view who_lacks) {
  const std::string_view option = option_of(name, options);
  if (option.empty()) return;
  throw ConfigError(
      fmt::format("--param {} must be given as {}; {} such a parameter", name, option, who_lacks));
}

[[noreturn]] void refuse_param(const VariantInfo& variant, const std::string& name) {
  require_no_option(name, point_options(), fmt::format("{} does not have", variant.name));
  if (variant.params.empty()) {
    throw ConfigError(
        fmt::format("--param must be left out for {}, which does not have parameters, got '{}'",
                    variant.name, name));
  }
  throw ConfigError(fmt::format("--param of {} must be {}, got '{}'", variant.name,
                                one_of_text(names_of_params(variant)), name));
}

/// Throws ConfigError for a parameter that no variant has.
[[noreturn]] void refuse_param(const std::string& name) {
  require_no_option(name, size_options(), "no variant has");
  std::vector<std::string_view> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const std::string_view known : names_of_params(variant)) {
      if (std::ranges::find(names, known) == names.end()) names.push_back(known);
    }
  }
  throw ConfigError(fmt::format("--param must be {}, got '{}'", one_of_text(names), name));
}

Params params_of(const VariantInfo& variant, std::span<const std::string> assignments) {
  Params params;
  for (const auto& [name, text] : split(assignments)) {
    const ParamInfo* const info = find_param(variant.params, name);
    if (info == nullptr) refuse_param(variant, name);
    params.emplace(name, parse_param(*info, text));
  }
  static_cast<void>(resolve_params(variant.name, variant.params, params));  // checks the values
  return params;
}

/// Returns the value that the text states in the first variant that accepts it.
ParamValue value_in_any_variant(const std::string& name, const std::string& text) {
  std::optional<ConfigError> refusal;
  for (const VariantInfo& variant : all_variant_infos()) {
    const ParamInfo* const info = find_param(variant.params, name);
    if (info == nullptr) continue;
    try {
      ParamValue value = parse_param(*info, text);
      const std::string complaint = check_param(*info, value);
      if (complaint.empty()) return value;
      throw ConfigError(name, fmt::format("{} ({})", complaint, variant.name));
    } catch (const ConfigError& error) {
      if (!refusal) refusal = error;
    }
  }
  if (!refusal) refuse_param(name);
  throw ConfigError(*refusal);
}

/// Returns the error with a parameter named as an option, such as `--param counter_bits`.
ConfigError in_param_options(const ConfigError& error) {
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    if (!problem.field.empty()) problem.field.insert(0, "--param ");
  }
  return ConfigError(std::move(problems));
}

}  // namespace

Params parse_params(const VariantInfo& variant, std::span<const std::string> assignments) {
  try {
    return params_of(variant, assignments);
  } catch (const ConfigError& error) {
    throw in_param_options(error);
  }
}

Params parse_params_of_any_variant(std::span<const std::string> assignments) {
  try {
    Params params;
    for (const auto& [name, text] : split(assignments)) {
      params.emplace(name, value_in_any_variant(name, text));
    }
    return params;
  } catch (const ConfigError& error) {
    throw in_param_options(error);
  }
}

}  // namespace bloometry
