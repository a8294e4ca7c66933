#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// A kind of value in a config. The reader, the writer and the schema use the same ConfigValue, so
/// that a limit is stated once.
template <class V>
struct ConfigValue {
  std::string allowed{};  ///< the allowed values, for the message about a missing field
  /// Reads a value and reports every problem. The result is nullopt if the value is invalid. The
  /// result of a list with invalid elements contains the other elements.
  std::function<std::optional<V>(const ConfigField&)> read{};
  std::function<nlohmann::json(const V&)> write{};
  std::function<nlohmann::ordered_json()> schema{};
};

/// An interval of real numbers. Each end of the interval is closed or open.
struct Interval {
  double min;
  double max;
  bool has_min = true;
  bool has_max = true;

  [[nodiscard]] bool contains(double x) const noexcept {
    return (has_min ? x >= min : x > min) && (has_max ? x <= max : x < max);
  }

  [[nodiscard]] std::string text() const;
};

/// A whole number in [min, max], as a number or as a text (number_notation.hpp). The value 1e6 is a
/// whole number, but 1.5 is not.
/// @param who text such as " for NAME" in error messages, if the range applies only to NAME
[[nodiscard]] ConfigValue<std::uint64_t> whole_number(std::uint64_t min, std::uint64_t max,
                                                      std::string_view who = {});

/// A whole number of bits in [min, max]. A text may also give the bytes, as in `64 MiB`.
[[nodiscard]] ConfigValue<std::uint64_t> number_of_bits(std::uint64_t min, std::uint64_t max);

/// A real number, as a number or as a text such as `0.1 %` or `1/1000`.
[[nodiscard]] ConfigValue<double> real_number(const Interval& range);

/// A real number of any size, in the same forms.
[[nodiscard]] ConfigValue<double> any_number();

/// Any string.
[[nodiscard]] ConfigValue<std::string> any_text();

/// A string for which is_allowed() returns true.
/// @param allowed description of these strings
/// @param limits keywords of the schema beside the type, for example `pattern`
[[nodiscard]] ConfigValue<std::string> text_where(
    std::string allowed, std::function<bool(const std::string&)> is_allowed,
    nlohmann::ordered_json limits);

/// One of the names. @param allowed description of the names; by default a list of them
[[nodiscard]] ConfigValue<std::string> one_of(std::vector<std::string> names,
                                              std::string allowed = {});

template <class Names>
[[nodiscard]] ConfigValue<std::string> one_of_all(const Names& names) {
  return one_of({std::begin(names), std::end(names)});
}

/// A name or a list of at least one name. The result has the order of the list and no duplicates.
[[nodiscard]] ConfigValue<std::vector<std::string>> one_or_more(ConfigValue<std::string> name);

/// A list with at least `min_size` elements. The result has a default-constructed element in place
/// of each invalid element.
/// @param allowed description of the list
template <class V>
[[nodiscard]] ConfigValue<std::vector<V>> list_of(ConfigValue<V> item, std::string allowed,
                                                  std::size_t min_size);

/// Returns the value with a schema that refers to a definition in `$defs`.
template <class V>
[[nodiscard]] ConfigValue<V> defined_as(std::string definition, ConfigValue<V> value);

/// Returns the number as JSON. The JSON text of a whole number has no decimal point.
[[nodiscard]] nlohmann::json number_json(double value);

/// Returns the schema with the description as its first member.
[[nodiscard]] nlohmann::ordered_json described(const nlohmann::ordered_json& schema,
                                               std::string_view description);

[[nodiscard]] nlohmann::ordered_json reference_to(std::string_view definition);

/// Returns the schema of a value that is either one item or a non-empty list of items.
[[nodiscard]] nlohmann::ordered_json one_or_list(const nlohmann::ordered_json& item);

template <class V>
ConfigValue<std::vector<V>> list_of(ConfigValue<V> item, std::string allowed,
                                    std::size_t min_size) {
  const auto read = [item, allowed, min_size](const ConfigField& field) {
    if (!field.value().is_array() || field.value().size() < min_size) {
      field.complain_must_be(allowed);
    }
    std::vector<V> values;
    for (const ConfigField& element : field.elements()) {
      values.push_back(item.read(element).value_or(V{}));
    }
    return std::optional(std::move(values));
  };
  const auto write = [item](const std::vector<V>& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const V& value : values) list.push_back(item.write(value));
    return list;
  };
  const auto schema = [item, min_size] {
    nlohmann::ordered_json list = {{"type", "array"}};
    if (min_size > 0) list["minItems"] = min_size;
    list["items"] = item.schema();
    return list;
  };
  return {.allowed = std::move(allowed), .read = read, .write = write, .schema = schema};
}

template <class V>
ConfigValue<V> defined_as(std::string definition, ConfigValue<V> value) {
  value.schema = [definition = std::move(definition)] { return reference_to(definition); };
  return value;
}

}  // namespace bloometry
