#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "experiments/plan/grid_fields.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/text/closest.hpp"
#include "experiments/text/number_notation.hpp"
#include "experiments/text/param_value.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using VariantInfos = std::vector<const VariantInfo*>;

/// Returns the description of the parameter in the first variant of the grid that has it, or
/// nullptr.
const ParamInfo* find_param(const VariantInfos& infos, std::string_view name) {
  for (const VariantInfo* variant : infos) {
    if (const ParamInfo* const info = find_param(variant->params, name)) return info;
  }
  return nullptr;
}

/// Returns the integer of a list, or nullopt.
std::optional<std::int64_t> integer_in(const Json& item) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::optional<std::uint64_t> number;
  if (item.is_string()) number = read_whole(item.get_ref<const std::string&>());
  if (item.is_number_unsigned()) number = item.get<std::uint64_t>();
  if (number) return *number <= kMax ? std::optional<std::int64_t>(*number) : std::nullopt;
  return item.is_number_integer() ? std::optional(item.get<std::int64_t>()) : std::nullopt;
}

std::optional<ParamValue> integers_in(const Json& list) {
  std::vector<std::int64_t> integers;
  for (const Json& item : list) {
    const std::optional<std::int64_t> integer = integer_in(item);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

/// Returns the value that the text states, or the text itself. check_param() reports a text in
/// place of a number.
ParamValue param_or_text(const ParamInfo* info, const std::string& text) {
  if (info == nullptr) return text;
  return read_param(*info, text).value_or(text);
}

/// @param info description of the parameter, or nullptr
std::optional<ParamValue> read_param_value(const ConfigField& field, const ParamInfo* info) {
  const Json& value = field.value();
  if (value.is_string()) return param_or_text(info, value.get<std::string>());
  if (value.is_number_unsigned() && info != nullptr && info->kind == ParamKind::kInteger) {
    return param_or_text(info, value.dump());  // a double may round the number
  }
  if (value.is_number()) return value.get<double>();
  if (value.is_array()) {
    if (std::optional<ParamValue> integers = integers_in(value)) return integers;
  }
  field.complain_must_be("a number, a string or a list of integers");
  return std::nullopt;
}

/// Returns the message for a parameter that is not a parameter of any variant of the grid.
std::string unknown_param_text(std::string_view param, const VariantInfos& infos) {
  std::string allowed;
  std::vector<std::string> all_names;
  std::vector<std::string> without;
  for (const VariantInfo* variant : infos) {
    std::vector<std::string> names;
    for (const ParamInfo& info : variant->params) names.emplace_back(info.name);
    all_names.insert(all_names.end(), names.begin(), names.end());
    if (names.empty()) {
      without.emplace_back(variant->name);
    } else {
      allowed += fmt::format("; allowed for {}: {}", variant->name, joined(names));
    }
  }
  if (!allowed.empty()) return "unknown parameter" + allowed + suggestion(param, all_names);
  return fmt::format("must be left out for {}, which does not have parameters", joined(without));
}

/// Checks that at least one variant of the grid has the parameter, and that all such variants
/// accept the value.
void check_param_of(const ConfigField& field, std::string_view name, const ParamValue& value,
                    const VariantInfos& infos) {
  bool is_known = false;
  for (const VariantInfo* variant : infos) {
    const ParamInfo* info = find_param(variant->params, name);
    if (info == nullptr) continue;
    is_known = true;
    const std::string complaint = check_param(*info, value);
    if (!complaint.empty()) {
      field.complain(fmt::format("{} ({})", complaint, variant->name));
    }
  }
  if (!is_known && !infos.empty()) {
    field.complain(unknown_param_text(name, infos));
  }
}

void read_params(const ConfigField& field, Grid& grid) {
  const auto member = field.member("params");
  if (!member) return;
  const VariantInfos infos = variants_of(grid);
  if (!member->value().is_object()) {
    member->complain_must_be("an object");
    return;
  }
  for (const auto& [name, value] : member->value().items()) {
    const ConfigField param = *member->member(name);
    const std::optional<ParamValue> read = read_param_value(param, find_param(infos, name));
    if (!read) continue;
    check_param_of(param, name, *read, infos);
    grid.params.emplace(name, *read);
  }
}

std::vector<std::string> split_choices(std::string_view choices) {
  std::vector<std::string> parts;
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find('|'), choices.size());
    parts.emplace_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return parts;
}

OrderedJson param_value_schema(const ParamInfo& info) {
  switch (info.kind) {
    case ParamKind::kInteger: {
      if (info.choices.empty()) {
        return whole_number(static_cast<std::uint64_t>(info.min),
                            static_cast<std::uint64_t>(info.max))
            .schema();
      }
      OrderedJson values = OrderedJson::array();
      for (const std::string& choice : split_choices(info.choices)) {
        values.push_back(std::stoll(choice));
      }
      return {{"anyOf", {{{"enum", values}}, {{"type", "string"}, {"pattern", kWholePattern}}}}};
    }
    case ParamKind::kReal:
      return real_number({.min = info.min, .max = info.max}).schema();
    case ParamKind::kText:
      return one_of(split_choices(info.choices)).schema();
    case ParamKind::kIntegerList:
      return {{"type", {"array", "string"}},
              {"items", {{"type", {"integer", "string"}}, {"pattern", kWholePattern}}}};
  }
  return OrderedJson::object();
}

/// Returns the schema of parameters. If several variants have a parameter, a value is valid if one
/// of these variants accepts the value.
OrderedJson params_schema() {
  OrderedJson properties = OrderedJson::object();
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const ParamInfo& info : variant.params) {
      const OrderedJson schema =
          described(param_value_schema(info), fmt::format("{}: {}", variant.name, info.meaning));
      OrderedJson& known = properties[std::string(info.name)];
      if (known.is_null()) known = {{"anyOf", OrderedJson::array()}};
      known["anyOf"].push_back(schema);
    }
  }
  for (OrderedJson& property : properties) {
    if (property["anyOf"].size() == 1) property = OrderedJson(property["anyOf"][0]);
  }
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

void write_params(const Grid& grid, Json& json) {
  json["params"] = Json::parse(params_text(params_of(*variants_of(grid).front(), grid)));
}

}  // namespace

FieldOf<Grid> params_field() {
  return {.name = "params",
          .description = "Parameters by name; each variant uses those that it supports",
          .read = read_params,
          .write = write_params,
          .schema = params_schema};
}

}  // namespace bloometry
