#include <bit>
#include <cstdint>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/terminal/window_text.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/cli/theory/requested_variants.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/trial/unit_work.hpp"
#include "experiments/unit/spec_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Returns the parameters of the filter. Those of a filter that forgets include the ones that
/// follow from its size and its window.
Params params_of(const RatedFilter& filter) {
  if (filter.variant.can(Operation::kTick)) return filter.variant.resolved_params(filter.spec);
  return filter.spec.params;
}

nlohmann::ordered_json to_json(const Window& window) {
  return {{"num_inserts", or_null(window.num_inserts)}, {"num_ticks", window.num_ticks}};
}

/// The size of a filter that grows, after num_keys keys were inserted.
struct GrownFilter {
  std::uint64_t initial_capacity = 0;
  std::uint64_t num_stages = 1;
  std::uint64_t num_bits = 0;
};

GrownFilter grown_filter(const RatedFilter& filter, std::uint64_t num_keys) {
  Unit unit;
  unit.variant = filter.variant.name;
  unit.spec = filter.spec;
  // If n keys fill exactly i stages, the filter has i stages.
  const double less_than_n = std::max(0.0, static_cast<double>(num_keys) - 0.5);
  return {.initial_capacity = filter.variant.initial_capacity(filter.spec).value(),
          .num_stages = static_cast<std::uint64_t>(planned_num_stages(unit, less_than_n)),
          .num_bits = filter.variant.num_bits_at(filter.spec, num_keys)};
}

/// Returns the geometry of a filter that does not have stages, with num_keys keys.
Geometry filled_geometry(const RatedFilter& filter, std::uint64_t num_keys) {
  if (filter.variant.is_limited) return filter.variant.geometry_at(filter.spec, num_keys);
  return filter.geometry();
}

nlohmann::ordered_json to_json(const RatedFilter& filter, std::uint64_t num_keys,
                               const Prediction& prediction) {
  nlohmann::ordered_json json = {
      {"variant", filter.variant.name},
      {"params", nlohmann::ordered_json::parse(params_text(params_of(filter)))},
      {"probe_model", std::string(1, static_cast<char>(filter.scheme.model))},
      {"probes", nullptr},
      {"num_keys", num_keys}};
  if (!filter.scheme.name.empty()) json["probes"] = filter.scheme.name;
  if (filter.variant.can(Operation::kGrow)) {
    const GrownFilter grown = grown_filter(filter, num_keys);
    const std::optional<double>& target = filter.spec.target_false_positive_rate;
    json["target_false_positive_rate"] = target ? nlohmann::ordered_json(*target) : nullptr;
    json["initial_capacity"] = grown.initial_capacity;
    json["num_stages"] = grown.num_stages;
    json["num_bits"] = grown.num_bits;
  } else {
    const Geometry geometry = filled_geometry(filter, num_keys);
    json["num_cells"] = geometry.num_cells;
    json["cell_bits"] = geometry.cell_bits;
    json["num_bits"] = geometry.num_bits();
    json["num_hashes"] = geometry.num_hashes;
  }
  if (const auto window = filter.variant.window_of(filter.spec)) json["window"] = to_json(*window);
  add_prediction(json, prediction);
  return json;
}

std::string_view words_of(ProbeModel model) {
  switch (model) {
    case ProbeModel::kWithReplacement:
      return "W (with replacement)";
    case ProbeModel::kDistinct:
      return "D (distinct)";
    case ProbeModel::kPartitioned:
      return "P (partitioned)";
  }
  return "";
}

std::string title_of(const RatedFilter& filter, std::uint64_t num_keys) {
  const SchemeInfo& scheme = filter.scheme;
  std::string title =
      fmt::format("{}{}, probe model {}: {}", filter.variant.name,
                  scheme.name.empty() ? "" : fmt::format(", probes {}", scheme.name),
                  words_of(scheme.model), plural(num_keys, "key"));
  if (filter.variant.can(Operation::kGrow)) {
    const GrownFilter grown = grown_filter(filter, num_keys);
    title += fmt::format(", target rate {}, initial capacity {}, {}, {}",
                         rounded(*filter.spec.target_false_positive_rate, 10),
                         plural(grown.initial_capacity, "key"), plural(grown.num_stages, "stage"),
                         memory_text(grown.num_bits));
    if (num_keys == 0) return title;
    const auto bits = static_cast<double>(grown.num_bits);
    return fmt::format("{}, {} bits per key", title,
                       rounded(bits / static_cast<double>(num_keys), 4));
  }
  const Geometry geometry = filled_geometry(filter, num_keys);
  title +=
      fmt::format(", m = {} ({}), k = {}",
                  counted_cells(geometry.num_cells, geometry.cell_bits, filter.variant.is_limited),
                  memory_text(geometry.num_bits()), geometry.num_hashes);
  const std::uint64_t growth = geometry.num_cells / filter.geometry().num_cells;
  if (growth == 1) return title;
  return fmt::format("{}, after {}", title, plural(std::bit_width(growth) - 1U, "doubling"));
}

void print_text(const RatedFilter& filter, std::uint64_t num_keys, const Prediction& prediction) {
  const FittedLines fitted(std::cout);
  std::cout << title_of(filter, num_keys) << '\n';
  for (const auto& [name, value] : params_of(filter)) {
    std::cout << "  " << name << " = " << to_string(value) << '\n';
  }
  if (const auto window = filter.variant.window_of(filter.spec)) {
    std::cout << "  window: a key is found for " << window_text(*window) << '\n';
  }
  print_prediction(prediction, num_keys);
  if (prediction.expected) return;
  std::cout << "unknown: the probes of the scheme " << filter.scheme.name
            << " do not follow the probe model, for which the other rates are computed\n";
}

Prediction checked_prediction(const RatedFilter& filter, std::uint64_t num_keys) {
  try {
    return predict(filter, num_keys);
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());  // thrown by a formula, for instance if k > m in model P
  }
}

/// Prints one object, or a list of objects for several variants.
void print_json(const std::vector<RatedFilter>& filters, std::uint64_t num_keys,
                const std::vector<Prediction>& predictions) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < filters.size(); ++i) {
    list.push_back(to_json(filters[i], num_keys, predictions[i]));
  }
  std::cout << (list.size() == 1 ? list.front() : list).dump(2) << '\n';
}

void print_text(const std::vector<RatedFilter>& filters, std::uint64_t num_keys,
                const std::vector<Prediction>& predictions) {
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (i > 0) std::cout << '\n';
    print_text(filters[i], num_keys, predictions[i]);
  }
}

}  // namespace

int theory_command(const PointOptions& options) {
  const InterruptWatch watch("files were not changed");
  if (names_in_list(options.variant).size() == 1) {
    if (const ForeignFormat* format = requested_format(options.variant)) {
      return foreign_theory_command(*format, options);
    }
  }
  const std::vector<RatedFilter> filters = requested_filters(options);
  const std::uint64_t num_keys = *options.request.num_keys;
  std::vector<Prediction> predictions;
  for (const RatedFilter& filter : filters) {
    predictions.push_back(checked_prediction(filter, num_keys));
  }
  if (options.json) {
    print_json(filters, num_keys, predictions);
  } else {
    print_text(filters, num_keys, predictions);
  }
  return kDone;
}

}  // namespace bloometry
