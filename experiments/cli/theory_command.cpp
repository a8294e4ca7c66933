#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/resolved_point.hpp"
#include "experiments/cli/text_table.hpp"
#include "experiments/trial/unit_work.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

nlohmann::ordered_json to_json(const ParamValue& value) {
  return std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value);
}

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json params_json(const Params& params) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : params) {
    // A whole number reads as one: 4, not 4.0.
    const auto* number = std::get_if<double>(&value);
    const bool is_whole = number != nullptr && std::abs(*number) < 0x1p53 &&
                          *number == static_cast<double>(static_cast<std::int64_t>(*number));
    json[name] =
        is_whole ? nlohmann::ordered_json(static_cast<std::int64_t>(*number)) : to_json(value);
  }
  return json;
}

/// What a filter that grows holds with the point's keys.
struct GrownFilter {
  std::uint64_t num_stages = 1;
  std::uint64_t num_bits = 0;
};

GrownFilter grown_filter(const ResolvedPoint& point) {
  Unit unit;
  unit.variant = point.variant.name;
  unit.spec = point.spec;
  // Of n keys that fill i stages exactly, there are i.
  const double num_keys = std::max(0.0, static_cast<double>(point.num_keys) - 0.5);
  return {.num_stages = static_cast<std::uint64_t>(planned_num_stages(unit, num_keys)),
          .num_bits = point.variant.num_bits_at(point.spec, point.num_keys)};
}

void print_json(const ResolvedPoint& point, const Prediction& prediction) {
  nlohmann::ordered_json json = {{"variant", point.variant.name},
                                 {"params", params_json(point.spec.params)},
                                 {"probe_model", std::string(1, static_cast<char>(point.model))},
                                 {"num_keys", point.num_keys}};
  if (point.variant.can(Operation::kGrow)) {
    const GrownFilter grown = grown_filter(point);
    json["target_false_positive_rate"] = or_null(point.spec.target_false_positive_rate);
    json["num_stages"] = grown.num_stages;
    json["num_bits"] = grown.num_bits;
  } else {
    json["num_cells"] = point.geometry.num_cells;
    json["cell_bits"] = point.geometry.cell_bits;
    json["num_bits"] = point.geometry.num_bits();
    json["num_hashes"] = point.geometry.num_hashes;
  }
  nlohmann::ordered_json& rates = json["expected_false_positive_rate"];
  rates["exact"] = or_null(prediction.exact);
  for (const NamedRate& named : prediction.approximations) {
    rates[std::string(named.name)] = or_null(named.rate);
  }
  json["expected_fill_ratio"] = or_null(prediction.expected_fill_ratio);
  json["expected_rate_stddev"] = or_null(prediction.rate_stddev);
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
  std::string title = std::string(point.variant.name) + ", probe model " +
                      std::string(words_of(point.model)) + ": " + grouped(point.num_keys) + " keys";
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

struct FormulaWords {
  std::string_view name;
  std::string_view words;
};

constexpr std::array kFormulas = {
    FormulaWords{"classic", "(1 - e^(-kn/m))^k, the formula of textbooks"},
    FormulaWords{"semi", "(1 - (1 - 1/m)^(kn))^k, the probes of a query as if independent"},
    FormulaWords{"semi_in_block", "semi in a block, over the number of its keys"},
    FormulaWords{"classic_in_block", "classic in a block, over the number of its keys"},
    FormulaWords{"second_order", "semi, corrected for how the fill varies between filters"},
    FormulaWords{"goel_gupta_upper", "an upper bound (Goel and Gupta 2010)"},
    FormulaWords{"poisson", "with Poisson's law for the keys of a block or the hits of a counter"},
    FormulaWords{"paper", "the formula of the variant's paper"},
    FormulaWords{"fluid", "every stage at its mean fill"},
    FormulaWords{"design_bound",
                 "what the stages are sized for together; kept however far it grows"}};

void explain(const std::vector<NamedRate>& rates) {
  std::cout << '\n';
  for (const FormulaWords& formula : kFormulas) {
    const bool is_printed = std::any_of(rates.begin(), rates.end(), [&](const NamedRate& named) {
      return named.name == formula.name;
    });
    if (is_printed) std::cout << formula.name << ": " << formula.words << '\n';
  }
}

void print_text(const ResolvedPoint& point, const Prediction& prediction) {
  constexpr int kDigits = 10;
  std::cout << title_of(point) << '\n';
  for (const auto& [name, value] : point.spec.params) {
    std::cout << "  " << name << " = " << to_string(value) << '\n';
  }
  TextTable table({{"expected", true}, {"value"}});
  table.add(
      {"rate, exact", prediction.exact ? rounded(*prediction.exact, kDigits) : "none is known"});
  for (const NamedRate& named : prediction.approximations) {
    table.add(
        {"rate, " + std::string(named.name), named.rate ? rounded(*named.rate, kDigits) : "-"});
  }
  if (prediction.rate_stddev) {
    table.add({"sd of the rate between filters", rounded(*prediction.rate_stddev, kDigits)});
  }
  if (prediction.expected_fill_ratio) {
    table.add({"fill ratio", rounded(*prediction.expected_fill_ratio, kDigits)});
  }
  std::cout << '\n';
  table.print(std::cout);
  const auto& rates = prediction.approximations;
  const bool has_all = std::all_of(rates.begin(), rates.end(),
                                   [](const NamedRate& named) { return named.rate.has_value(); });
  explain(rates);
  if (!has_all) std::cout << "-: the formula gives more than 1 here, outside its range.\n";
}

Prediction predict(const ResolvedPoint& point) {
  try {
    return find_theory(point.variant.name).predict(point.spec, point.model, point.num_keys);
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());  // a formula's own door: k > m in model P and the like
  }
}

}  // namespace

int theory_command(const PointOptions& options) {
  const InterruptWatch watch("nothing was written");
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
