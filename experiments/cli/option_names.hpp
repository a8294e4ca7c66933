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

/// Returns the options of theory, and of claims.
[[nodiscard]] std::span<const OptionName> point_options() noexcept;
[[nodiscard]] std::span<const OptionName> size_options() noexcept;
[[nodiscard]] std::span<const OptionName> sweep_options() noexcept;
[[nodiscard]] std::span<const OptionName> subject_options() noexcept;
[[nodiscard]] std::span<const OptionName> bench_options() noexcept;
/// Returns the options of filter besides the options of a point.
[[nodiscard]] std::span<const OptionName> filter_options() noexcept;
/// Returns the options of redis besides these.
[[nodiscard]] std::span<const OptionName> redis_options() noexcept;
/// Returns the options for which redis can reject a loaded file.
[[nodiscard]] std::span<const OptionName> redis_file_options() noexcept;

/// Returns the option that sets the field; empty if it does not exist.
[[nodiscard]] std::string_view option_of(std::string_view field,
                                         std::span<const OptionName> options) noexcept;

/// Returns the error with the names of options in place of the library's fields.
[[nodiscard]] ConfigError in_options(const ConfigError& error, std::span<const OptionName> options);

}  // namespace bloometry
