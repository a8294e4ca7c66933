#pragma once

#include <span>
#include <string>

#include "core/any_filter/variant_info.hpp"
#include "core/contract/params.hpp"

/// The option `--param NAME=VALUE`.
namespace bloometry {

/// Returns the given parameters of a variant, without defaults.
/// @param assignments texts such as "counter_bits=4"
/// @throws ConfigError naming the option if the variant does not have a parameter or does not
/// accept a value, or if a parameter is given twice.
[[nodiscard]] Params parse_params(const VariantInfo& variant,
                                  std::span<const std::string> assignments);

/// Returns the given parameters for a command that considers all variants. At least one variant
/// has each parameter and accepts its value.
/// @throws ConfigError naming the option otherwise, or if a parameter is given twice.
[[nodiscard]] Params parse_params_of_any_variant(std::span<const std::string> assignments);

}  // namespace bloometry
