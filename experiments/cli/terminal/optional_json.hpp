#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace bloometry {

/// Returns the value, or null if the optional is empty.
template <class T>
[[nodiscard]] nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// Returns the number, or null if the optional is empty or its number is not finite.
[[nodiscard]] inline nlohmann::ordered_json finite_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value)
                                        : nlohmann::ordered_json(nullptr);
}

/// Adds a field to the object if there is a value.
template <class T>
void add_if_given(nlohmann::ordered_json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

}  // namespace bloometry
