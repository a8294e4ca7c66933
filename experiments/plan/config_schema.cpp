#include "experiments/plan/config_schema.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/probe/limits.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/plan/key_source_reader.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/workload/key_hash.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson with(OrderedJson schema, std::string_view name, OrderedJson value) {
  schema[std::string(name)] = std::move(value);
  return schema;
}

OrderedJson described(OrderedJson schema, std::string_view description) {
  OrderedJson result = {{"description", description}};
  result.update(schema);
  return result;
}

OrderedJson reference(std::string_view definition) {
  return {{"$ref", "#/$defs/" + std::string(definition)}};
}

OrderedJson integer_in(std::uint64_t min, std::uint64_t max) {
  return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}

/// Returns the schema of a real number in (0, max), or in (0, max] if has_max is true.
OrderedJson above_zero_to(double max, bool has_max) {
  return {
      {"type", "number"}, {"exclusiveMinimum", 0}, {has_max ? "maximum" : "exclusiveMaximum", max}};
}

OrderedJson one_of(const std::vector<std::string>& names) {
  return {{"enum", names}};
}

template <class Names>
OrderedJson one_of_all(const Names& names) {
  return one_of({std::begin(names), std::end(names)});
}

/// Returns the schema of a value that is either one item or a non-empty list of items.
OrderedJson one_or_list(const OrderedJson& item) {
  return {{"oneOf", {item, {{"type", "array"}, {"minItems", 1}, {"items", item}}}}};
}

/// Returns the schema of an object without unknown members.
OrderedJson object_of(const std::vector<std::string>& required, OrderedJson properties) {
  OrderedJson schema = {
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

/// Returns the schema of an axis, which is a number, a list or a range.
/// @param value schema of one number
OrderedJson axis_of(const OrderedJson& value) {
  const OrderedJson range = object_of(
      {"from", "to", "steps"}, {{"from", value},
                                {"to", value},
                                {"steps", integer_in(1, kMaxAxisValues)},
                                {"scale", with(one_of({"linear", "log"}), "default", "linear")}});
  return {{"oneOf",
           {value,
            {{"type", "array"}, {"minItems", 1}, {"maxItems", kMaxAxisValues}, {"items", value}},
            range}}};
}

OrderedJson integer_axis(std::uint64_t min, std::uint64_t max) {
  return axis_of(integer_in(min, max));
}

// --- Schemas of the objects of a config. The outermost object comes last.

OrderedJson queries_schema() {
  const QueryPlan defaults;
  const OrderedJson plan = object_of(
      {"relative_error"},
      {{"relative_error", above_zero_to(1, false)},
       {"confidence", with(above_zero_to(1, false), "default", defaults.confidence)},
       {"max_queries", with(integer_in(1, kMaxQueries), "default", defaults.max_queries)}});
  return {{"description",
           "Queries per point: a number, or a relative error, from which the number is computed at "
           "the expected rate"},
          {"default", defaults.num_queries},
          {"oneOf", {integer_in(1, kMaxQueries), plan}}};
}

OrderedJson key_source_schema() {
  const OrderedJson zipf = object_of(
      {"zipf"},
      {{"zipf",
        described(
            above_zero_to(kMaxZipfExponent, true),
            "Random keys; queries of absent keys follow a Zipf distribution with this exponent")}});
  const OrderedJson file = object_of(
      {"file"},
      {{"file",
        {{"description",
          "One key per line, also compressed by gzip or zstd; the path is relative to the config's "
          "folder"},
         {"type", "string"},
         {"minLength", 1}}},
       {"content_hash",
        {{"description", "XXH3-128 of the decompressed text; a file with other text is rejected"},
         {"type", "string"},
         {"pattern", "^[0-9a-f]{32}$"}}},
       {"label",
        {{"description",
          "Name of these keys in charts, at most 40 bytes; default: the file's name"},
         {"type", "string"},
         {"minLength", 1},
         {"maxLength", kMaxKeyLabelBytes}}}});
  return {{"oneOf", {one_of_all(synthetic_key_names()), zipf, file}}};
}

OrderedJson hash_schema() {
  std::vector<std::string> names;
  for (const KeyHash& hash : all_key_hashes()) names.emplace_back(hash.name);
  return one_of(names);
}

OrderedJson variant_schema() {
  std::vector<std::string> names;
  for (const VariantInfo& info : all_variant_infos()) names.emplace_back(info.name);
  return one_of(names);
}

OrderedJson scheme_schema() {
  std::vector<std::string> names;
  for (const VariantInfo& info : all_variant_infos()) {
    for (const SchemeInfo& scheme : info.schemes) {
      const std::string name(scheme.name);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return one_of(names);
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
        return integer_in(static_cast<std::uint64_t>(info.min),
                          static_cast<std::uint64_t>(info.max));
      }
      OrderedJson values = OrderedJson::array();
      for (const std::string& choice : split_choices(info.choices)) {
        values.push_back(std::stoll(choice));
      }
      return {{"enum", values}};
    }
    case ParamKind::kReal:
      return {{"type", "number"}, {"minimum", info.min}, {"maximum", info.max}};
    case ParamKind::kText:
      return one_of(split_choices(info.choices));
    case ParamKind::kIntegerList:
      return {{"type", "array"}, {"items", {{"type", "integer"}}}};
  }
  return OrderedJson::object();
}

/// Returns the schema of parameters. If several variants have a parameter, a value is valid if one
/// of these variants accepts the value.
OrderedJson params_schema() {
  OrderedJson properties = OrderedJson::object();
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const ParamInfo& info : variant.params) {
      const OrderedJson schema = described(
          param_value_schema(info), std::string(variant.name) + ": " + std::string(info.meaning));
      OrderedJson& known = properties[std::string(info.name)];
      if (known.is_null()) known = {{"anyOf", OrderedJson::array()}};
      known["anyOf"].push_back(schema);
    }
  }
  for (OrderedJson& property : properties) {
    if (property["anyOf"].size() == 1) property = OrderedJson(property["anyOf"][0]);
  }
  return described(object_of({}, properties),
                   "Parameters by name; each variant uses those that it supports");
}

OrderedJson churn_schema() {
  const OrderedJson share = {{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
  const auto optional_share = [&](std::string_view description) {
    return described(with(share, "default", 0), description);
  };
  return described(
      object_of(
          {"rounds", "erase"},
          {{"rounds", integer_in(1, kMaxChurnRounds)},
           {"erase", share},
           {"reinsert", optional_share("Share of num_keys that is inserted again; if fewer keys "
                                       "are removed, all of them")},
           {"wrongful_erases", optional_share("Share of the erases that apply to keys that test "
                                              "positive but were never inserted")}}),
      "Keys erased and inserted again before the measurement, as shares of num_keys per round");
}

OrderedJson size_schema(const SizeAxisInfo& info) {
  if (info.is_integer()) return integer_axis(1, kMaxSize);
  const bool is_rate = info.axis == SizeAxis::kRate;
  return axis_of(above_zero_to(is_rate ? 1 : kMaxBitsPerKey, !is_rate));
}

OrderedJson grid_schema() {
  OrderedJson properties = {
      {"variant", described(one_or_list(reference("variant")), "See `bloometry variants`")},
      {"num_keys", described(integer_axis(0, kMaxKeys), "n: distinct keys inserted")},
      {"capacity", described(integer_in(1, kMaxKeys),
                             "Number of keys for which the filter is sized; every num_keys is a "
                             "checkpoint of one filter")}};
  OrderedJson exactly_one = OrderedJson::array();
  for (const SizeAxisInfo& info : kSizeAxes) {
    const std::string name(info.name);
    properties[name] = described(size_schema(info), info.meaning);
    exactly_one.push_back({{"required", {name}}});
  }
  properties["num_hashes"] = {
      {"description",
       "k: number of probes per key; optimal: the k with the lowest expected rate, at `capacity` "
       "if it is given, otherwise at each num_keys"},
      {"oneOf",
       {{{"enum",
          {"optimal", name_of(BestNumHashes::kAtCapacity), name_of(BestNumHashes::kAtNumKeys)}}},
        integer_axis(1, kMaxNumHashes)}}};
  properties["params"] = params_schema();
  properties["churn"] = churn_schema();
  OrderedJson schema = object_of({"variant", "num_keys"}, properties);
  schema["oneOf"] = exactly_one;
  return described(schema, "All combinations of the values of its axes, for each of its variants");
}

OrderedJson chart_schema() {
  const OrderedJson axis = reference("chart_axis");
  const OrderedJson facet = {{"description",
                              "Axis with one panel per value; none: a single panel. Default: "
                              "panels only if more than 8 series would overlap"},
                             {"anyOf", {axis, {{"const", kNoFacet}}}}};
  return object_of({"chart"}, {{"chart", one_of_all(kChartNames)}, {"x", axis}, {"facet", facet}});
}

OrderedJson config_properties() {
  const Config defaults;
  return {{"$schema", {{"type", "string"}}},
          {"name",
           {{"description", "Name of the experiment and of its folder below results/"},
            {"type", "string"},
            {"pattern", "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}}},
          {"question",
           {{"description", "The question that the run answers; the title of its report"},
            {"type", "string"}}},
          {"seed", described(with(integer_in(0, std::numeric_limits<std::uint64_t>::max()),
                                  "default", defaults.seed),
                             "Seed from which all random numbers are derived")},
          {"trials",
           described(
               with(integer_in(1, kMaxTrials), "default", defaults.trials),
               "Number of repetitions of every point, each with other keys and another hash seed")},
          {"queries", queries_schema()},
          {"keys", described(with(one_or_list(reference("key_source")), "default", "random"),
                             "Sources of the keys")},
          {"hash", described(with(one_or_list(reference("hash_family")), "default", "xxh3"),
                             "Hash families; rows of weak hashes are shown but not tested")},
          {"probes", described(one_or_list(reference("probe_scheme")),
                               "Probe schemes, which every variant of every grid must have; the "
                               "default is the default scheme of each variant")},
          {"grids", {{"type", "array"}, {"minItems", 1}, {"items", reference("grid")}}},
          {"report",
           {{"description",
             "Charts of the report; the default is every chart for which the run has data"},
            {"type", "array"},
            {"items", reference("chart")}}}};
}

}  // namespace

OrderedJson config_schema() {
  OrderedJson schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "bloometry sweep"},
      {"description",
       "A sweep of Bloom filters over n, m and k, for completion in editors. `bloometry sweep "
       "schema` prints this schema; `bloometry sweep validate` checks further conditions."}};
  schema.update(object_of({"name", "grids"}, config_properties()));
  schema["$defs"] = {{"variant", variant_schema()},
                     {"hash_family", hash_schema()},
                     {"probe_scheme", scheme_schema()},
                     {"key_source", key_source_schema()},
                     {"grid", grid_schema()},
                     {"chart", chart_schema()},
                     {"chart_axis", one_of_all(kChartAxisNames)}};
  return schema;
}

}  // namespace bloometry
