#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "core/error.hpp"
#include "experiments/cli/command_line/commands.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/cli/theory/resolved_point.hpp"
#include "experiments/trial/unit_work.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

nlohmann::ordered_json to_json(const ParamValue& value) {
  return std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value);
}

nlohmann::ordered_json params_json(const Params& params) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : params) {
    // Whole numbers become integers, so that the output is 4, not 4.0.
    const auto* number = std::get_if<double>(&value);
    const bool is_whole = number != nullptr && std::abs(*number) < 0x1p53 &&
                          *number == static_cast<double>(static_cast<std::int64_t>(*number));
    json[name] =
        is_whole ? nlohmann::ordered_json(static_cast<std::int64_t>(*number)) : to_json(value);
  }
  return json;
}

/// The size of a filter that grows, after the point's keys were inserted.
struct GrownFilter {
  std::uint64_t num_stages = 1;
  std::uint64_t num_bits = 0;
};

GrownFilter grown_filter(const ResolvedPoint& point) {
  Unit unit;
  unit.variant = point.variant.name;
  unit.spec = point.spec;
  // If n keys fill exactly i stages, the filter has i stages.
  const double num_keys = std::max(0.0, static_cast<double>(point.num_keys) - 0.5);
  return {.num_stages = static_cast<std::uint64_t>(planned_num_stages(unit, num_keys)),
          .num_bits = point.variant.num_bits_at(point.spec, point.num_keys)};
}

void print_json(const ResolvedPoint& point, const Prediction& prediction) {
  nlohmann::ordered_json json = {
      {"variant", point.variant.name},
      {"params", params_json(point.spec.params)},
      {"probe_model", std::string(1, static_cast<char>(point.scheme.model))},
      {"probes", nullptr},
      {"num_keys", point.num_keys}};
  if (!point.scheme.name.empty()) json["probes"] = point.scheme.name;
  if (point.variant.can(Operation::kGrow)) {
    const GrownFilter grown = grown_filter(point);
    const std::optional<double>& target = point.spec.target_false_positive_rate;
    json["target_false_positive_rate"] = target ? nlohmann::ordered_json(*target) : nullptr;
    json["num_stages"] = grown.num_stages;
    json["num_bits"] = grown.num_bits;
  } else {
    json["num_cells"] = point.geometry.num_cells;
    json["cell_bits"] = point.geometry.cell_bits;
    json["num_bits"] = point.geometry.num_bits();
    json["num_hashes"] = point.geometry.num_hashes;
  }
  add_prediction(json, prediction);
  std::cout << json.dump(2) << '\n';
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

std::string title_of(const ResolvedPoint& point) {
  const SchemeInfo& scheme = point.scheme;
  std::string title = std::string(point.variant.name) +
                      (scheme.name.empty() ? "" : ", probes " + std::string(scheme.name)) +
                      ", probe model " + std::string(words_of(scheme.model)) + ": " +
                      grouped(point.num_keys) + " keys";
  if (point.variant.can(Operation::kGrow)) {
    const GrownFilter grown = grown_filter(point);
    title += ", target rate " + rounded(*point.spec.target_false_positive_rate, 10) + ", " +
             std::to_string(grown.num_stages) + (grown.num_stages == 1 ? " stage" : " stages") +
             ", " + memory_text(grown.num_bits);
    if (point.num_keys == 0) return title;
    const auto bits = static_cast<double>(grown.num_bits);
    return title + ", " + rounded(bits / static_cast<double>(point.num_keys), 4) + " bits per key";
  }
  const Geometry& geometry = point.geometry;
  title += ", m = " + grouped(geometry.num_cells);
  title += geometry.cell_bits == 1 ? " bits"
                                   : " counters of " + std::to_string(geometry.cell_bits) + " bits";
  return title + " (" + memory_text(geometry.num_bits()) +
         "), k = " + std::to_string(geometry.num_hashes);
}

void print_text(const ResolvedPoint& point, const Prediction& prediction) {
  std::cout << title_of(point) << '\n';
  for (const auto& [name, value] : point.spec.params) {
    std::cout << "  " << name << " = " << to_string(value) << '\n';
  }
  print_prediction(prediction);
  if (prediction.expected) return;
  std::cout << "unknown: the probes of the scheme " << point.scheme.name
            << " do not follow the probe model, for which the other rates are computed\n";
}

Prediction predict(const ResolvedPoint& point) {
  try {
    return predict(rated_filter(point), point.num_keys);
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());  // thrown by a formula, for instance if k > m in model P
  }
}

}  // namespace

int theory_command(const PointOptions& options) {
  const InterruptWatch watch("files were not changed");
  if (const ForeignFormat* format = requested_format(options.variant)) {
    return foreign_theory_command(*format, options);
  }
  const ResolvedPoint point = resolve_point(options);
  const Prediction prediction = predict(point);
  if (options.json) {
    print_json(point, prediction);
  } else {
    print_text(point, prediction);
  }
  return kDone;
}

}  // namespace bloometry
