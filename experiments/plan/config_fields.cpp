#include "experiments/plan/config_fields.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "experiments/plan/grid_checks.hpp"
#include "experiments/plan/grid_fields.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/text/number_notation.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/workload/key_hash.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// The name of an experiment, which is also the name of a folder.
ConfigValue<std::string> experiment_name() {
  const auto is_safe = [](const std::string& name) {
    constexpr std::string_view kLetters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return !name.empty() && name.size() <= 64 && kLetters.find(name[0]) != name.npos &&
           name.find_first_not_of(std::string(kLetters) + "._-") == name.npos;
  };
  return text_where(
      "1 to 64 letters, digits, dots, dashes and underscores, the first a letter or digit", is_safe,
      {{"pattern", "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}});
}

FieldTable<QueryPlan> query_plan_fields() {
  constexpr Interval kOpenUnit = {.min = 0, .max = 1, .has_min = false, .has_max = false};
  return {required_field("relative_error", &QueryPlan::relative_error, real_number(kOpenUnit)),
          default_field("confidence", &QueryPlan::confidence, real_number(kOpenUnit)),
          default_field("max_queries", &QueryPlan::max_queries, whole_number(1, kMaxQueries))};
}

/// A number of queries, or an object with a relative error.
ConfigValue<QueryPlan> query_plan() {
  const ConfigValue<std::uint64_t> number = whole_number(1, kMaxQueries);
  const ConfigValue<QueryPlan> plan = object_of(query_plan_fields());
  const std::string allowed = number.allowed + " or an object with relative_error";
  const auto read = [=](const ConfigField& field) -> std::optional<QueryPlan> {
    if (field.value().is_object()) return plan.read(field);
    if (!field.value().is_number() && !field.value().is_string()) {
      field.complain_must_be(allowed);
      return std::nullopt;
    }
    const std::optional<std::uint64_t> num_queries = number.read(field);
    return num_queries ? std::optional(QueryPlan{.num_queries = *num_queries}) : std::nullopt;
  };
  const auto write = [=](const QueryPlan& queries) {
    return queries.relative_error ? plan.write(queries) : number.write(queries.num_queries);
  };
  const auto schema = [=]() -> OrderedJson {  // default_field() sets the default, in this place
    return {{"default", nullptr}, {"oneOf", {number.schema(), plan.schema()}}};
  };
  return {.allowed = allowed, .read = read, .write = write, .schema = schema};
}

/// The axis of a chart with one panel per value, or kNoFacet.
ConfigValue<std::string> facet() {
  std::vector<std::string> names(kChartAxisNames.begin(), kChartAxisNames.end());
  names.emplace_back(kNoFacet);
  ConfigValue<std::string> value = one_of(std::move(names));
  value.schema = []() -> OrderedJson {
    return {{"anyOf", {reference_to("chart_axis"), {{"const", kNoFacet}}}}};
  };
  return value;
}

ConfigValue<std::string> chart_axis() {
  return defined_as("chart_axis", one_of_all(kChartAxisNames));
}

/// Returns the kind of the values of an axis that has names.
ConfigValue<std::string> name_on_axis(std::string_view axis) {
  if (axis == "variant") return defined_as("variant", one_of(variant_names()));
  if (axis == "hash") return defined_as("hash_family", one_of(hash_names()));
  if (axis == "probes") return defined_as("probe_scheme", one_of(all_scheme_names()));
  return any_text();
}

/// Returns the kind of the values of an axis as a text, which is a number in the config if the axis
/// has numbers.
ConfigValue<std::string> value_on_axis(std::string_view axis) {
  if (!has_numbers(axis)) return name_on_axis(axis);
  const ConfigValue<double> number = any_number();
  const auto read = [=](const ConfigField& field) -> std::optional<std::string> {
    const std::optional<double> value = number.read(field);
    return value ? std::optional(number_text(*value)) : std::nullopt;
  };
  const auto write = [=](const std::string& text) { return number.write(read_real(text).value()); };
  return {.allowed = number.allowed, .read = read, .write = write, .schema = number.schema};
}

/// The values that all points of a chart have: an object of numbers and names by axis.
ConfigValue<FixedValues> fixed_values() {
  const auto read = [](const ConfigField& field) -> std::optional<FixedValues> {
    if (!check_members(field, {kChartAxisNames.begin(), kChartAxisNames.end()})) {
      return std::nullopt;
    }
    FixedValues values;
    for (const auto& [name, value] : field.value().items()) {
      const auto member = field.member(name);
      const bool is_known =
          std::find(kChartAxisNames.begin(), kChartAxisNames.end(), name) != kChartAxisNames.end();
      if (!member || !is_known) continue;
      if (auto text = value_on_axis(name).read(*member)) values[name] = std::move(*text);
    }
    return values;
  };
  const auto write = [](const FixedValues& values) {
    Json json = Json::object();
    for (const auto& [name, text] : values) json[name] = value_on_axis(name).write(text);
    return json;
  };
  const auto schema = []() -> OrderedJson {
    OrderedJson properties = OrderedJson::object();
    for (const std::string_view name : kChartAxisNames) {
      properties[std::string(name)] = value_on_axis(name).schema();
    }
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  };
  return {.allowed = "an object with axes of charts and their values",
          .read = read,
          .write = write,
          .schema = schema};
}

FieldTable<ChartRequest> chart_fields() {
  return {
      required_field("chart", &ChartRequest::chart, one_of_all(kChartNames)),
      optional_field("x", &ChartRequest::x, chart_axis()),
      optional_field("facet", &ChartRequest::facet, facet(),
                     "Axis with one panel per value; none: a single panel. Default: panels "
                     "only if more than 8 series would overlap"),
      optional_field("series", &ChartRequest::series, chart_axis(),
                     "Axis with one series per value; other axes give panels. Default: all axes "
                     "in which the points differ"),
      optional_field("fix", &ChartRequest::fix, fixed_values(),
                     "Values that all points of the chart have, for example "
                     "{\"num_hashes\": 7}. Default: all points")};
}

FieldOf<Config> schema_field() {
  return {.name = "$schema",
          .read =
              [](const ConfigField& root, Config&) {
                if (const auto member = root.member("$schema")) any_text().read(*member);
              },
          .schema = any_text().schema};
}

FieldOf<Config> probes_field() {
  return optional_field(
      "probes", &Config::probes,
      one_or_more(defined_as("probe_scheme", one_of(all_scheme_names()))),
      "Probe schemes, which every variant of every grid must have; the default is the default "
      "scheme of each variant");
}

void read_probes_and_check_grids(const ConfigField& root, Config& config) {
  config.probes = default_probes(config.grids);
  probes_field().read(root, config);
  check_grids(root, config);
}

}  // namespace

FieldTable<Config> config_fields(const KeyFileAccess& files) {
  FieldOf<Config> probes = probes_field();
  probes.read = nullptr;  // read after the grids, because its default depends on them
  return {
      schema_field(),
      required_field("name", &Config::name, experiment_name(),
                     "Name of the experiment and of its folder below results/"),
      default_field("question", &Config::question, any_text(),
                    "The question that the run answers; the title of its report"),
      default_field("seed", &Config::seed,
                    whole_number(0, std::numeric_limits<std::uint64_t>::max()),
                    "Seed from which all random numbers are derived"),
      default_field(
          "trials", &Config::trials, whole_number(1, kMaxTrials),
          "Number of repetitions of every point, each with other keys and another hash seed"),
      default_field("queries", &Config::queries, query_plan(),
                    "Queries per point: a number, or a relative error, from which the number is "
                    "computed at the expected rate"),
      default_field("keys", &Config::keys, key_sources_value(files), "Sources of the keys"),
      default_field("hash", &Config::hashes,
                    one_or_more(defined_as("hash_family", one_of(hash_names()))),
                    "Hash families; rows of weak hashes are shown but not tested"),
      probes,
      required_field("grids", &Config::grids,
                     list_of(defined_as("grid", grid_value()), "a list of at least one grid", 1)),
      {.read = read_probes_and_check_grids},
      default_field("report", &Config::charts,
                    list_of(defined_as("chart", chart_value()), "a list of charts", 0),
                    "Charts of the report; the default is every chart for which the run has data")};
}

ConfigValue<ChartRequest> chart_value() {
  return object_of(chart_fields());
}

std::vector<std::string> hash_names() {
  std::vector<std::string> names;
  for (const KeyHash& hash : all_key_hashes()) names.emplace_back(hash.name);
  return names;
}

}  // namespace bloometry
