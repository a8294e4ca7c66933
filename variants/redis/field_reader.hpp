#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry {

/// Reads fields of a Redis hash, and checks each field that it reads.
class FieldReader {
 public:
  /// Makes the reader. The fields must outlive it.
  explicit FieldReader(const RedisFields& fields) : fields_(fields) {}

  /// Returns the text of a field, or null if the field does not exist.
  [[nodiscard]] const std::string* find(const std::string& name) const {
    const auto field = fields_.find(name);
    return field == fields_.end() ? nullptr : &field->second;
  }

  /// Returns the text of a field.
  /// @throws ConfigError if the field does not exist
  [[nodiscard]] const std::string& text(const std::string& name) const {
    const std::string* value = find(name);
    if (value == nullptr) throw ConfigError(name, "is missing from the parameters");
    return *value;
  }

  /// Returns the number in a field, or nullopt if the field does not exist.
  /// @throws ConfigError if the field contains anything but a number of the type
  template <class Number>
  [[nodiscard]] std::optional<Number> optional(const std::string& name) const {
    const std::string* value = find(name);
    if (value == nullptr) return std::nullopt;
    Number number{};
    const char* const last = value->data() + value->size();
    const auto [end, error] = std::from_chars(value->data(), last, number);
    if (error != std::errc() || end != last) {
      throw ConfigError(name, std::string("must be a ") + (std::integral<Number> ? "whole " : "") +
                                  "number, got '" + *value + "'");
    }
    return number;
  }

  /// Returns the number in a field.
  /// @throws ConfigError if the field does not exist or contains anything but a number of the type
  template <class Number>
  [[nodiscard]] Number number(const std::string& name) const {
    static_cast<void>(text(name));
    return *optional<Number>(name);
  }

 private:
  const RedisFields& fields_;
};

}  // namespace bloometry
