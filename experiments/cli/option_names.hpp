#pragma once

#include <span>
#include <string_view>

#include "core/error.hpp"

namespace bloometry {

/// The option that sets a field of the library.
struct OptionName {
  std::string_view field;
  std::string_view option;
};

/// Options of theory, and of claims.
[[nodiscard]] std::span<const OptionName> point_options() noexcept;
[[nodiscard]] std::span<const OptionName> size_options() noexcept;
[[nodiscard]] std::span<const OptionName> sweep_options() noexcept;
[[nodiscard]] std::span<const OptionName> subject_options() noexcept;
[[nodiscard]] std::span<const OptionName> bench_options() noexcept;
/// Those of filter besides the options of a point.
[[nodiscard]] std::span<const OptionName> filter_options() noexcept;
/// Those of redis besides these.
[[nodiscard]] std::span<const OptionName> redis_options() noexcept;
/// What a file that redis loads is refused for.
[[nodiscard]] std::span<const OptionName> redis_file_options() noexcept;

/// Returns the option, empty if none sets the field.
[[nodiscard]] std::string_view option_of(std::string_view field,
                                         std::span<const OptionName> options) noexcept;

/// Returns the same problems in terms of options: the library names fields, the command line
/// options.
[[nodiscard]] ConfigError in_options(const ConfigError& error, std::span<const OptionName> options);

}  // namespace bloometry
