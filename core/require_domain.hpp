#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/text.hpp"

// Checks of the arguments of a formula or a statistical test. The message of an error names the
// argument, the allowed values and the value, as in `alpha must be in (0, 1), got 2`.
namespace bloometry {

template <class Number>
[[nodiscard]] std::string domain_text(Number value) {
  static_assert(std::is_arithmetic_v<Number>);
  if constexpr (std::is_integral_v<Number>) return std::to_string(value);
  return shortest_text(static_cast<double>(value));
}

/// @throws std::domain_error unless `is_allowed`.
template <class Number>
void require_domain(bool is_allowed, std::string_view name, std::string_view allowed,
                    Number value) {
  if (is_allowed) return;
  std::string message(name);
  throw std::domain_error(
      message.append(" must be ").append(allowed).append(", got ").append(domain_text(value)));
}

/// Checks an argument whose limit is another argument.
/// @throws std::domain_error unless value <= limit, as in `k must be at most m = 2, got 3`.
template <class Number>
void require_at_most(std::string_view name, Number value, std::string_view limit_name,
                     Number limit) {
  if (value <= limit) return;
  require_domain(false, name, "at most " + std::string(limit_name) + " = " + domain_text(limit),
                 value);
}

/// Checks an argument that must equal another value.
/// @throws std::domain_error unless value == other, as in `number of rows must be 2k = 6, got 5`.
template <class Number>
void require_same_number(std::string_view name, Number value, std::string_view other_name,
                         Number other) {
  if (value == other) return;
  require_domain(false, name, std::string(other_name) + " = " + domain_text(other), value);
}

}  // namespace bloometry
