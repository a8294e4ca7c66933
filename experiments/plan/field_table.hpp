#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/plan/config_field.hpp"
#include "experiments/plan/config_value.hpp"

namespace bloometry {

/// One field of an object of a config, which becomes a T. The reader, the writer and the schema of
/// an object use the same fields. Absent functions do nothing.
template <class T>
struct FieldOf {
  std::string name{};  ///< empty for a condition, which only reads
  std::string description{};
  bool is_required = false;
  /// Reads the field of an object, or checks a condition on it. Reports every problem.
  std::function<void(const ConfigField& object, T& result)> read{};
  /// Writes the field to an object of a resolved config.
  std::function<void(const T& value, nlohmann::json& object)> write{};
  std::function<nlohmann::ordered_json()> schema{};
};

/// The fields of an object, in the order in which they are read and described.
template <class T>
using FieldTable = std::vector<FieldOf<T>>;

/// Returns whether a member is an empty optional, string or list.
template <class M>
[[nodiscard]] bool is_absent(const M& member) {
  if constexpr (requires { member.has_value(); }) {
    return !member.has_value();
  } else if constexpr (requires { member.empty(); }) {
    return member.empty();
  } else {
    return false;
  }
}

template <class V>
[[nodiscard]] const V& value_in(const V& member) {
  return member;
}

template <class V>
[[nodiscard]] const V& value_in(const std::optional<V>& member) {
  return *member;
}

/// Returns a field that may be missing. A resolved config omits the field if it is_absent().
template <class T, class M, class V>
[[nodiscard]] FieldOf<T> optional_field(std::string name, M T::*member, const ConfigValue<V>& value,
                                        std::string description = {}) {
  return {.name = name,
          .description = std::move(description),
          .read =
              [=](const ConfigField& object, T& result) {
                const auto found = object.member(name);
                if (!found) return;
                if (auto read = value.read(*found)) result.*member = std::move(*read);
              },
          .write =
              [=](const T& from, nlohmann::json& object) {
                if (!is_absent(from.*member)) object[name] = value.write(value_in(from.*member));
              },
          .schema = value.schema};
}

/// Returns a field that must be given.
template <class T, class M, class V>
[[nodiscard]] FieldOf<T> required_field(std::string name, M T::*member, const ConfigValue<V>& value,
                                        std::string description = {}) {
  FieldOf<T> field = optional_field(name, member, value, std::move(description));
  field.is_required = true;
  field.read = [=, read = field.read](const ConfigField& object, T& result) {
    if (object.member(name)) return read(object, result);
    object.complain_of(name, "must be given: " + value.allowed);
  };
  return field;
}

/// Returns a field with the default in T{}. A resolved config always contains the field. The schema
/// names the default unless it is empty; a default list of one item is shown as the item.
template <class T, class M, class V>
[[nodiscard]] FieldOf<T> default_field(std::string name, M T::*member, const ConfigValue<V>& value,
                                       std::string description = {}) {
  FieldOf<T> field = optional_field(name, member, value, std::move(description));
  field.write = [=](const T& from, nlohmann::json& object) {
    object[name] = value.write(from.*member);
  };
  field.schema = [=] {
    nlohmann::ordered_json schema = value.schema();
    const T defaults{};
    if (is_absent(defaults.*member)) return schema;
    const nlohmann::json shown = value.write(defaults.*member);
    schema["default"] = shown.is_array() ? shown.front() : shown;
    return schema;
  };
  return field;
}

/// Reports every field of an object that is not in the table. Returns false as check_members()
/// does.
template <class T>
bool check_names(const ConfigField& object, const FieldTable<T>& fields) {
  std::vector<std::string_view> names;
  for (const FieldOf<T>& field : fields) {
    if (!field.name.empty()) names.push_back(field.name);
  }
  return check_members(object, names);
}

template <class T>
[[nodiscard]] T read_fields(const ConfigField& object, const FieldTable<T>& fields) {
  T result{};
  for (const FieldOf<T>& field : fields) {
    if (field.read) field.read(object, result);
  }
  return result;
}

template <class T>
[[nodiscard]] nlohmann::json write_fields(const T& value, const FieldTable<T>& fields) {
  nlohmann::json object = nlohmann::json::object();
  for (const FieldOf<T>& field : fields) {
    if (field.write) field.write(value, object);
  }
  return object;
}

/// Returns the schema of an object that has only fields of the table.
template <class T>
[[nodiscard]] nlohmann::ordered_json schema_of(const FieldTable<T>& fields) {
  nlohmann::ordered_json properties = nlohmann::ordered_json::object();
  std::vector<std::string> required;
  for (const FieldOf<T>& field : fields) {
    if (field.name.empty()) continue;
    properties[field.name] =
        field.description.empty() ? field.schema() : described(field.schema(), field.description);
    if (field.is_required) required.push_back(field.name);
  }
  nlohmann::ordered_json schema = {
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

/// An object with the fields of the table.
template <class T>
[[nodiscard]] ConfigValue<T> object_of(const FieldTable<T>& fields) {
  return {.allowed = "an object",
          .read = [fields](const ConfigField& field) -> std::optional<T> {
            if (!check_names(field, fields)) return std::nullopt;
            return read_fields(field, fields);
          },
          .write = [fields](const T& value) { return write_fields(value, fields); },
          .schema = [fields] { return schema_of(fields); }};
}

}  // namespace bloometry
