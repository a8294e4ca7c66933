#include "experiments/plan/config_value.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "core/text.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr double kMaxExactInteger = 0x1p53;

bool is_whole(double value) {
  return value == std::floor(value) && value <= kMaxExactInteger;
}

std::optional<std::uint64_t> whole_number_in(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return value.get<std::uint64_t>();
  }
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  if (!(number >= 0) || !is_whole(number)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

/// Returns whether the value is a whole number, even if the number is out of range. The caller
/// reports whole numbers out of range with another message.
bool looks_whole(const Json& value) {
  return value.is_number_integer() ||
         (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
}

std::optional<std::uint64_t> read_integer(const ConfigField& field, std::uint64_t min,
                                          std::uint64_t max, std::string_view who) {
  const std::optional<std::uint64_t> number = whole_number_in(field.value());
  if (number && *number >= min && *number <= max) return number;
  const std::string range = fmt::format("in [{}, {}]{}", min, max, who);
  if (min == max) {
    field.complain_must_be(fmt::format("{}{}", min, who));
  } else {
    field.complain_must_be(looks_whole(field.value()) ? range : "a whole number " + range);
  }
  return std::nullopt;
}

std::optional<double> read_number(const ConfigField& field, const Interval& range) {
  if (field.value().is_number() && range.contains(field.value().get<double>())) {
    return field.value().get<double>();
  }
  field.complain_must_be((field.value().is_number() ? "in " : "a number in ") + range.text());
  return std::nullopt;
}

std::optional<std::string> read_text(const ConfigField& field) {
  if (field.value().is_string()) return field.value().get<std::string>();
  field.complain_must_be("a string");
  return std::nullopt;
}

std::optional<std::vector<std::string>> read_names(const ConfigField& field,
                                                   const ConfigValue<std::string>& name) {
  std::vector<std::string> names;
  const bool is_list = field.value().is_array();
  if (is_list && field.value().empty()) {
    field.complain_must_be("a name or a list of at least one name");
  }
  for (const ConfigField& element : is_list ? field.elements() : std::vector{field}) {
    const std::optional<std::string> read = name.read(element);
    if (!read || std::find(names.begin(), names.end(), *read) != names.end()) continue;
    names.push_back(*read);
  }
  return names;
}

}  // namespace

std::string Interval::text() const {
  return fmt::format("{}{}, {}{}", has_min ? "[" : "(", number_text(min), number_text(max),
                     has_max ? "]" : ")");
}

ConfigValue<std::uint64_t> whole_number(std::uint64_t min, std::uint64_t max,
                                        std::string_view who) {
  return {.allowed = fmt::format("a whole number in [{}, {}]", min, max),
          .read = [min, max, who = std::string(who)](
                      const ConfigField& field) { return read_integer(field, min, max, who); },
          .write = [](std::uint64_t value) -> Json { return value; },
          .schema = [min, max]() -> OrderedJson {
            return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
          }};
}

ConfigValue<double> real_number(const Interval& range) {
  return {.allowed = "a number in " + range.text(),
          .read = [range](const ConfigField& field) { return read_number(field, range); },
          .write = number_json,
          .schema = [range]() -> OrderedJson {
            return {{"type", "number"},
                    {range.has_min ? "minimum" : "exclusiveMinimum", number_json(range.min)},
                    {range.has_max ? "maximum" : "exclusiveMaximum", range.max}};
          }};
}

ConfigValue<std::string> any_text() {
  return {.allowed = "a string",
          .read = read_text,
          .write = [](const std::string& text) -> Json { return text; },
          .schema = []() -> OrderedJson {
            return {{"type", "string"}};
          }};
}

ConfigValue<std::string> text_where(std::string allowed,
                                    std::function<bool(const std::string&)> is_allowed,
                                    OrderedJson limits) {
  ConfigValue<std::string> value = any_text();
  value.read = [allowed, is_allowed](const ConfigField& field) {
    std::optional<std::string> text = read_text(field);
    if (!text || is_allowed(*text)) return text;
    field.complain_must_be(allowed);
    return std::optional<std::string>();
  };
  value.schema = [limits = std::move(limits)] {
    OrderedJson schema = {{"type", "string"}};
    schema.update(limits);
    return schema;
  };
  value.allowed = std::move(allowed);
  return value;
}

ConfigValue<std::string> one_of(std::vector<std::string> names, std::string allowed) {
  if (allowed.empty()) allowed = "one of " + joined(names);
  ConfigValue<std::string> value = any_text();
  value.read = [names, allowed](const ConfigField& field) -> std::optional<std::string> {
    for (const std::string& name : names) {
      if (field.value() == name) return name;
    }
    field.complain_must_be(allowed);
    return std::nullopt;
  };
  value.schema = [names = std::move(names)]() -> OrderedJson { return {{"enum", names}}; };
  value.allowed = std::move(allowed);
  return value;
}

ConfigValue<std::vector<std::string>> one_or_more(ConfigValue<std::string> name) {
  return {.allowed = name.allowed,
          .read = [name](const ConfigField& field) { return read_names(field, name); },
          .write = [](const std::vector<std::string>& names) -> Json { return names; },
          .schema = [name] { return one_or_list(name.schema()); }};
}

Json number_json(double value) {
  return Json::parse(number_text(value));
}

OrderedJson described(const OrderedJson& schema, std::string_view description) {
  OrderedJson result = {{"description", description}};
  result.update(schema);
  return result;
}

OrderedJson reference_to(std::string_view definition) {
  return {{"$ref", fmt::format("#/$defs/{}", definition)}};
}

OrderedJson one_or_list(const OrderedJson& item) {
  return {{"oneOf", {item, {{"type", "array"}, {"minItems", 1}, {"items", item}}}}};
}

}  // namespace bloometry
