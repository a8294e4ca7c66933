#pragma once

#include <span>
#include <string_view>

#include "core/error.hpp"

namespace bloometry {

/// The option that sets a field of the library. Errors name it instead of the field.
struct OptionName {
  std::string_view field;
  std::string_view option;
};

/// Returns the options of `theory` and of claims.
[[nodiscard]] std::span<const OptionName> point_options() noexcept;
[[nodiscard]] std::span<const OptionName> size_options() noexcept;
[[nodiscard]] std::span<const OptionName> sweep_options() noexcept;
[[nodiscard]] std::span<const OptionName> subject_options() noexcept;
[[nodiscard]] std::span<const OptionName> bench_options() noexcept;
/// Returns the options of `filter` that are not in point_options().
[[nodiscard]] std::span<const OptionName> filter_options() noexcept;
/// Returns the options of `redis` that are not in the other lists.
[[nodiscard]] std::span<const OptionName> redis_options() noexcept;
/// Returns the options that `redis` names when it rejects a loaded file.
[[nodiscard]] std::span<const OptionName> redis_file_options() noexcept;

/// Returns the option that sets the field, or an empty text if there is none.
[[nodiscard]] std::string_view option_of(std::string_view field,
                                         std::span<const OptionName> options) noexcept;

/// Returns the error with the names of options instead of the library's fields.
[[nodiscard]] ConfigError in_options(const ConfigError& error, std::span<const OptionName> options);

}  // namespace bloometry
