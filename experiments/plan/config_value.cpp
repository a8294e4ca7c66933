#include "experiments/plan/config_value.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <utility>

#include "core/text.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/number_notation.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

bool is_whole(double value) {
  return value == std::floor(value) && value <= static_cast<double>(kMaxExactWhole);
}

std::optional<std::uint64_t> whole_number_in(const Json& value) {
  if (value.is_string()) return read_whole(value.get_ref<const std::string&>());
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return value.get<std::uint64_t>();
  }
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  if (!(number >= 0) || !is_whole(number)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

/// Returns the number of bits. A string may give a number of bytes.
std::optional<std::uint64_t> bits_in(const Json& value) {
  if (!value.is_string()) return whole_number_in(value);
  const std::optional<WrittenSize> size = read_size(value.get_ref<const std::string&>());
  if (!size || !size->is_bytes) return whole_number_in(value);
  constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint64_t>::max() / 8;
  return size->number <= kMaxBytes ? std::optional(8 * size->number) : std::nullopt;
}

/// Returns whether the value is a whole number, even if the number is out of range. The caller
/// reports whole numbers out of range with another message.
bool looks_whole(const Json& value) {
  return value.is_number_integer() ||
         (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
}

/// Reports that the value is not allowed. @param hint function that returns the end of the message
/// about a string
void refuse(const ConfigField& field, const std::string& allowed,
            std::string (*hint)(std::string_view)) {
  const Json& value = field.value();
  field.complain(fmt::format("must be {}, got {}{}", allowed, shown_json(value),
                             value.is_string() ? hint(value.get_ref<const std::string&>()) : ""));
}

/// How a field with a whole number is read.
struct WholeField {
  std::uint64_t min;
  std::uint64_t max;
  std::string who;            ///< as in whole_number()
  std::string_view or_bytes;  ///< further allowed values, for the message about another text
  std::optional<std::uint64_t> (*number_in)(const Json&);
  const char* pattern;
};

std::optional<std::uint64_t> read_integer(const ConfigField& field, const WholeField& whole) {
  const std::optional<std::uint64_t> number = whole.number_in(field.value());
  if (number && *number >= whole.min && *number <= whole.max) return number;
  if (whole.min == whole.max) {
    field.complain_must_be(fmt::format("{}{}", whole.min, whole.who));
    return std::nullopt;
  }
  const std::string range = fmt::format("in [{}, {}]{}", whole.min, whole.max, whole.who);
  if (number || looks_whole(field.value())) {
    field.complain_must_be(range);
  } else {
    refuse(field, fmt::format("a whole number {}{}", range, whole.or_bytes),
           whole.or_bytes.empty() ? whole_hint : size_hint);
  }
  return std::nullopt;
}

ConfigValue<std::uint64_t> whole_value(WholeField whole) {
  return {
      .allowed = fmt::format("a whole number in [{}, {}]{}", whole.min, whole.max, whole.or_bytes),
      .read = [whole](const ConfigField& field) { return read_integer(field, whole); },
      .write = [](std::uint64_t value) -> Json { return value; },
      .schema = [whole]() -> OrderedJson {
        return {{"type", {"integer", "string"}},
                {"minimum", whole.min},
                {"maximum", whole.max},
                {"pattern", whole.pattern}};
      }};
}

std::optional<double> real_number_in(const Json& value) {
  if (value.is_string()) return read_real(value.get_ref<const std::string&>());
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::optional<double> read_number(const ConfigField& field, const Interval& range) {
  const std::optional<double> number = real_number_in(field.value());
  if (number && range.contains(*number)) return number;
  if (number) {
    field.complain_must_be("in " + range.text());
  } else {
    refuse(field, "a number in " + range.text(), real_hint);
  }
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
  return whole_value({.min = min,
                      .max = max,
                      .who = std::string(who),
                      .or_bytes = {},
                      .number_in = whole_number_in,
                      .pattern = kWholePattern});
}

ConfigValue<std::uint64_t> number_of_bits(std::uint64_t min, std::uint64_t max) {
  return whole_value({.min = min,
                      .max = max,
                      .who = {},
                      .or_bytes = " of bits, or bytes like \"64MiB\"",
                      .number_in = bits_in,
                      .pattern = kSizePattern});
}

ConfigValue<double> real_number(const Interval& range) {
  return {.allowed = "a number in " + range.text(),
          .read = [range](const ConfigField& field) { return read_number(field, range); },
          .write = number_json,
          .schema = [range]() -> OrderedJson {
            return {{"type", {"number", "string"}},
                    {range.has_min ? "minimum" : "exclusiveMinimum", number_json(range.min)},
                    {range.has_max ? "maximum" : "exclusiveMaximum", number_json(range.max)},
                    {"pattern", kRealPattern}};
          }};
}

ConfigValue<double> any_number() {
  const auto read = [](const ConfigField& field) {
    const std::optional<double> number = real_number_in(field.value());
    if (!number) refuse(field, "a number", real_hint);
    return number;
  };
  return {.allowed = "a number", .read = read, .write = number_json, .schema = []() -> OrderedJson {
            return {{"type", {"number", "string"}}, {"pattern", kRealPattern}};
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
