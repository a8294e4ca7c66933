#include "experiments/plan/grid_checks.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <optional>

#include "core/text.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/plan/window_problems.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

std::vector<std::string> scheme_names(const VariantInfo& variant) {
  std::vector<std::string> names;
  for (const SchemeInfo& scheme : variant.schemes) names.emplace_back(scheme.name);
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reports schemes that a variant of the grid does not have. The list `probes` of a config applies
/// to all grids.
void check_probes(const ConfigField& root, const Grid& grid, const ConfigField& grid_field,
                  const std::vector<std::string>& probes) {
  for (const std::string& variant : grid.variants) {
    const std::vector<std::string> allowed = scheme_names(find_variant(variant));
    for (const std::string& name : probes) {
      if (holds(allowed, name)) continue;
      root.complain_of(
          "probes", fmt::format("must be {} for {} ({}), got \"{}\"", one_of_text(allowed), variant,
                                grid_field.pointer(), name));
    }
  }
}

/// Returns the member or parameter of a grid with this name, or nullopt. The name may also be that
/// of a member of its window, such as `window.size`.
std::optional<ConfigField> named_in(const ConfigField& grid_field, const std::string& name) {
  if (name.starts_with(kWindowPrefix)) {
    const auto window = grid_field.member("window");
    return window ? window->member(name.substr(kWindowPrefix.size())) : std::nullopt;
  }
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
    field->complain(fmt::format("{} ({})", complaint.problem.text, complaint.filter));
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
  root.complain_of(
      "grids",
      fmt::format(
          "all axes, key sources, probes and trials together must give at most {} rows, got {}",
          kMaxRows, number_text(num_rows)));
  return false;
}

}  // namespace

std::vector<std::string> probes_of(const Config& config, const VariantInfo& variant) {
  if (!config.probes.empty()) return config.probes;
  return {std::string(variant.schemes.front().name)};
}

std::vector<std::string> default_probes(const std::vector<Grid>& grids) {
  std::vector<std::string> defaults;
  for (const Grid& grid : grids) {
    for (const std::string& variant : grid.variants) {
      const std::string name(find_variant(variant).schemes.front().name);
      if (!holds(defaults, name)) defaults.push_back(name);
    }
  }
  return defaults.size() == 1 ? defaults : std::vector<std::string>{};
}

std::vector<std::string> all_scheme_names() {
  std::vector<std::string> all;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const std::string& name : scheme_names(variant)) {
      if (!holds(all, name)) all.push_back(name);
    }
  }
  return all;
}

void check_grids(const ConfigField& root, const Config& config) {
  const auto member = root.member("grids");
  if (!check_num_rows(root, config) || !member) return;
  const std::vector<ConfigField> fields = member->elements();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t num_problems = root.num_problems();
    check_probes(root, config.grids[i], fields[i], config.probes);
    if (root.num_problems() == num_problems) check_filters(config.grids[i], fields[i], config);
  }
}

}  // namespace bloometry
