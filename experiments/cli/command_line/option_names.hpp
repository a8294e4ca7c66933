#pragma once

#include <span>
#include <string_view>

#include "core/error.hpp"

namespace bloometry {

/// The option that sets a field of the library. Error messages name the option instead of the
/// field.
struct OptionName {
  std::string_view field;
  std::string_view option;
};

/// Returns the options that describe one filter, as in `theory` and in the claims of `verify
/// --subject`.
[[nodiscard]] std::span<const OptionName> point_options() noexcept;
[[nodiscard]] std::span<const OptionName> size_options() noexcept;
[[nodiscard]] std::span<const OptionName> sweep_options() noexcept;
[[nodiscard]] std::span<const OptionName> subject_options() noexcept;
[[nodiscard]] std::span<const OptionName> bench_options() noexcept;
/// Returns the options of `filter` that are missing from point_options() or have another name
/// there.
[[nodiscard]] std::span<const OptionName> filter_options() noexcept;
/// Returns the options of `redis` that are missing from point_options() or have another name there.
[[nodiscard]] std::span<const OptionName> redis_options() noexcept;
/// Returns the options for the error message when `redis load` rejects a file.
[[nodiscard]] std::span<const OptionName> redis_file_options() noexcept;

/// Returns the option that sets the field, or an empty text for a field without an option.
[[nodiscard]] std::string_view option_of(std::string_view field,
                                         std::span<const OptionName> options) noexcept;

/// Returns the error with the names of options in place of the library's fields.
[[nodiscard]] ConfigError in_options(const ConfigError& error, std::span<const OptionName> options);

}  // namespace bloometry
