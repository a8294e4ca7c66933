#include "experiments/plan/config_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/text.hpp"
#include "experiments/plan/config_field.hpp"
#include "experiments/plan/grid_reader.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/workload/key_hash.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

std::string read_name(const ConfigField& root) {
  constexpr std::string_view kAllowed =
      "1 to 64 letters, digits, dots, dashes and underscores, the first a letter or digit";
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const auto member = root.member("name");
  if (!member) {
    root.complain_of("name", "must be given: " + std::string(kAllowed));
    return {};
  }
  const std::optional<std::string> name = read_text(*member);
  if (!name) return {};
  const bool is_safe = !name->empty() && name->size() <= 64 &&
                       kLetters.find((*name)[0]) != std::string_view::npos &&
                       name->find_first_not_of(std::string(kLetters) + "._-") == std::string::npos;
  if (!is_safe) member->complain_must_be(kAllowed);
  return *name;
}

std::uint64_t read_count(const ConfigField& root, std::string_view name,
                         std::uint64_t default_value, std::uint64_t min, std::uint64_t max) {
  const auto member = root.member(name);
  return member ? read_integer(*member, min, max).value_or(default_value) : default_value;
}

QueryPlan read_query_plan(const ConfigField& field) {
  constexpr Interval kOpenUnit = {.min = 0, .max = 1, .has_min = false, .has_max = false};
  QueryPlan plan;
  check_members(field, {"relative_error", "confidence", "max_queries"});
  if (const auto member = field.member("relative_error")) {
    plan.relative_error = read_number(*member, kOpenUnit);
  } else {
    field.complain_of("relative_error", "must be given: a number in (0, 1)");
  }
  if (const auto member = field.member("confidence")) {
    plan.confidence = read_number(*member, kOpenUnit).value_or(plan.confidence);
  }
  plan.max_queries = read_count(field, "max_queries", plan.max_queries, 1, kMaxQueries);
  return plan;
}

QueryPlan read_queries(const ConfigField& root) {
  const auto member = root.member("queries");
  if (!member) return {};
  if (member->value().is_object()) return read_query_plan(*member);
  if (!member->value().is_number()) {
    member->complain_must_be("a whole number in [1, " + std::to_string(kMaxQueries) +
                             "] or an object with relative_error");
    return {};
  }
  return {.num_queries = read_integer(*member, 1, kMaxQueries).value_or(1)};
}

std::vector<std::string> hash_names() {
  std::vector<std::string> names;
  for (const KeyHash& hash : all_key_hashes()) names.emplace_back(hash.name);
  return names;
}

std::vector<std::string> scheme_names(const VariantInfo& variant) {
  std::vector<std::string> names;
  for (const SchemeInfo& scheme : variant.schemes) names.emplace_back(scheme.name);
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the names of the probe schemes of all variants.
std::vector<std::string> all_scheme_names() {
  std::vector<std::string> all;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const std::string& name : scheme_names(variant)) {
      if (!holds(all, name)) all.push_back(name);
    }
  }
  return all;
}

std::vector<std::string> read_names_or(const ConfigField& root, std::string_view name,
                                       const std::vector<std::string>& allowed,
                                       const std::string& default_name) {
  const auto member = root.member(name);
  return member ? read_names(*member, allowed) : std::vector<std::string>{default_name};
}

ChartRequest read_chart(const ConfigField& field) {
  ChartRequest request;
  const auto read_one_of = [&](std::string_view name, const auto& allowed) {
    const auto member = field.member(name);
    if (!member) return std::string();
    for (const std::string_view candidate : allowed) {
      if (member->value() == candidate) return std::string(candidate);
    }
    member->complain_must_be("one of " + joined({allowed.begin(), allowed.end()}));
    return std::string();
  };
  if (!check_members(field, {"chart", "x", "facet"})) return request;
  if (!field.member("chart"))
    field.complain_of("chart", "must be given: one of " + joined(kChartNames));
  request.chart = read_one_of("chart", kChartNames);
  request.x = read_one_of("x", kChartAxisNames);
  std::vector<std::string_view> facets(kChartAxisNames.begin(), kChartAxisNames.end());
  facets.push_back(kNoFacet);
  request.facet = read_one_of("facet", facets);
  return request;
}

std::vector<ChartRequest> read_charts(const ConfigField& root) {
  const auto member = root.member("report");
  if (!member) return {};
  if (!member->value().is_array()) member->complain_must_be("a list of charts");
  std::vector<ChartRequest> charts;
  for (const ConfigField& element : member->elements()) charts.push_back(read_chart(element));
  return charts;
}

/// Returns the probe schemes that the config names. If the config does not name any schemes and all
/// variants have the same default, read_probes() returns this default. The resolved config contains
/// a default that all variants have in common. If the defaults of the variants differ,
/// read_probes() returns an empty list (probes_of).
std::vector<std::string> read_probes(const ConfigField& root, const std::vector<Grid>& grids) {
  if (const auto member = root.member("probes")) return read_names(*member, all_scheme_names());
  std::vector<std::string> defaults;
  for (const Grid& grid : grids) {
    for (const std::string& variant : grid.variants) {
      const std::string name(find_variant(variant).schemes.front().name);
      if (!holds(defaults, name)) defaults.push_back(name);
    }
  }
  return defaults.size() == 1 ? defaults : std::vector<std::string>{};
}

/// Reports schemes that a variant of the grid does not have. The list `probes` of a config applies
/// to all grids.
void check_probes(const ConfigField& root, const Grid& grid, const ConfigField& grid_field,
                  const std::vector<std::string>& probes) {
  for (const std::string& variant : grid.variants) {
    const std::vector<std::string> allowed = scheme_names(find_variant(variant));
    for (const std::string& name : probes) {
      if (holds(allowed, name)) continue;
      root.complain_of("probes", "must be " + one_of_text(allowed) + " for " + variant + " (" +
                                     grid_field.pointer() + "), got \"" + name + "\"");
    }
  }
}

/// Returns the member or parameter of a grid with this name, or nullopt.
std::optional<ConfigField> named_in(const ConfigField& grid_field, const std::string& name) {
  if (auto member = grid_field.member(name)) return member;
  const auto params = grid_field.member("params");
  return params ? params->member(name) : std::nullopt;
}

/// Reports a problem of a filter. If the grid has the field that the problem names, the message
/// starts with the field: `/num_bits: must be ..., got 3 (...)`. A grid without `capacity` sizes
/// its filters for num_keys.
void complain(const FilterComplaint& complaint, const ConfigField& grid_field) {
  const std::string& name = complaint.problem.field;
  const bool is_num_keys = name == "capacity" && !grid_field.member(name);
  if (const auto field = named_in(grid_field, is_num_keys ? "num_keys" : name)) {
    field->complain(complaint.problem.text + " (" + complaint.filter + ")");
  } else {
    grid_field.complain(complaint.line());
  }
}

void check_filters(const Grid& grid, const ConfigField& grid_field, const Config& config) {
  for (const std::string& name : grid.variants) {
    const VariantInfo& variant = find_variant(name);
    const std::vector<std::string> probes = probes_of(config, variant);
    for (const FilterComplaint& complaint : planned_filters(variant, grid, probes).complaints) {
      complain(complaint, grid_field);
    }
  }
}

/// A valid grid and its position in the config.
struct LocatedGrid {
  ConfigField field;
  Grid grid;
};

std::vector<LocatedGrid> read_grids(const ConfigField& root) {
  constexpr std::string_view kAllowed = "a list of at least one grid";
  const auto member = root.member("grids");
  if (!member) {
    root.complain_of("grids", "must be given: " + std::string(kAllowed));
    return {};
  }
  if (!member->value().is_array() || member->value().empty()) {
    member->complain_must_be(kAllowed);
  }
  std::vector<LocatedGrid> grids;
  for (const ConfigField& element : member->elements()) {
    if (const std::optional<Grid> grid = read_grid(element)) grids.push_back({element, *grid});
  }
  return grids;
}

/// Returns an upper bound of the number of rows of a config. A point that is in several grids
/// counts once per grid.
double num_rows_of(const Config& config) {
  double num_rows = 0;
  for (const Grid& grid : config.grids) {
    num_rows += static_cast<double>(grid.variants.size()) *
                static_cast<double>(grid.num_keys.size()) * static_cast<double>(grid.sizes.size()) *
                static_cast<double>(std::max<std::size_t>(grid.num_hashes.size(), 1));
  }
  return num_rows * static_cast<double>(config.keys.size()) *
         static_cast<double>(config.hashes.size()) *
         static_cast<double>(std::max<std::size_t>(config.probes.size(), 1)) *
         static_cast<double>(config.trials);
}

/// Reports a problem and returns false if the config has too many rows to check every filter.
bool check_num_rows(const ConfigField& root, const Config& config) {
  const double num_rows = num_rows_of(config);
  if (num_rows <= static_cast<double>(kMaxRows)) return true;
  root.complain_of("grids", "all axes, key sources, probes and trials together must give at most " +
                                std::to_string(kMaxRows) + " rows, got " + number_text(num_rows));
  return false;
}

/// Checks that every variant accepts the values of its grid and the probe schemes.
void check_grids(const ConfigField& root, const std::vector<LocatedGrid>& grids,
                 const Config& config) {
  for (const auto& [field, grid] : grids) {
    const std::size_t num_problems = root.num_problems();
    check_probes(root, grid, field, config.probes);
    if (root.num_problems() == num_problems) check_filters(grid, field, config);
  }
}

}  // namespace

KeyLabels key_labels(const Config& config) {
  KeyLabels labels;
  for (const KeySource& keys : config.keys) {
    if (!keys.label.empty()) labels.emplace(keys.name, keys.label);
  }
  return labels;
}

std::vector<std::string> probes_of(const Config& config, const VariantInfo& variant) {
  if (!config.probes.empty()) return config.probes;
  return {std::string(variant.schemes.front().name)};
}

Config read_config(const nlohmann::json& value, const KeyFileAccess& files, ProblemList& problems) {
  const ConfigField root(value, "", problems);
  Config config;
  if (!check_members(root, {"$schema", "name", "question", "seed", "trials", "queries", "keys",
                            "hash", "probes", "grids", "report"})) {
    return config;
  }
  if (const auto member = root.member("$schema")) static_cast<void>(read_text(*member));
  config.name = read_name(root);
  if (const auto member = root.member("question")) {
    config.question = read_text(*member).value_or("");
  }
  config.seed = read_count(root, "seed", 1, 0, std::numeric_limits<std::uint64_t>::max());
  config.trials = read_count(root, "trials", 1, 1, kMaxTrials);
  config.queries = read_queries(root);
  config.keys = read_keys(root, files);
  config.hashes = read_names_or(root, "hash", hash_names(), hash_names().front());
  const std::vector<LocatedGrid> grids = read_grids(root);
  for (const LocatedGrid& located : grids) config.grids.push_back(located.grid);
  config.probes = read_probes(root, config.grids);
  if (check_num_rows(root, config)) check_grids(root, grids, config);
  config.charts = read_charts(root);
  return config;
}

}  // namespace bloometry
