#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "experiments/cli/command_line/point_options.hpp"
#include "variants/registry/filter_rates.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// The options of `theory` that determine the size of a filter.
inline constexpr std::array<std::string_view, 5> kSizeOptionsOfTheory = {
    "-m", "--memory", "--num-blocks", "--bits-per-key", "-p"};

/// Returns the filter of the options with all missing values: the scheme, m from bits per key or
/// from a rate, and the best k.
/// @param size_options the options of the command that determine the size
/// @throws ConfigError naming the option that is missing or impossible.
[[nodiscard]] RatedFilter requested_filter(
    const PointOptions& options,
    std::span<const std::string_view> size_options = kSizeOptionsOfTheory);

/// Returns the scheme with the name that the option --probes gives, or the variant's first scheme
/// if the name is empty.
/// @throws ConfigError naming the option if the variant does not have the scheme.
[[nodiscard]] const SchemeInfo& scheme_of(const VariantInfo& variant, const std::string& probes);

}  // namespace bloometry
