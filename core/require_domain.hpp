#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/text.hpp"

namespace bloometry {

/// Checks an argument of a formula or a statistical test.
/// @throws std::domain_error unless `is_allowed`. The message names the argument, the allowed
/// values and the value, as in `alpha must be in (0, 1), got 2`.
template <class Number>
void require_domain(bool is_allowed, std::string_view name, std::string_view allowed,
                    Number value) {
  static_assert(std::is_arithmetic_v<Number>);
  if (is_allowed) return;
  std::string message(name);
  message.append(" must be ").append(allowed).append(", got ");
  if constexpr (std::is_integral_v<Number>) {
    message.append(std::to_string(value));
  } else {
    message.append(shortest_text(value));
  }
  throw std::domain_error(message);
}

}  // namespace bloometry
