#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/text_table.hpp"
#include "variants/registry.hpp"
#include "variants/sizing.hpp"
#include "variants/theory_registry.hpp"

namespace bloometry {
namespace {

/// One filter that theory is asked about, with nothing left open.
struct Subject {
  const VariantInfo& variant;
  FilterSpec spec{};
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  Geometry geometry{};  ///< of a filter that grows: its first stage
};

bool grows(const VariantInfo& variant) {
  return variant.has_size_axis("target_false_positive_rate");
}

ParamValue param_value(const VariantInfo& variant, const std::string& name,
                       const std::string& text) {
  for (const ParamInfo& info : variant.params) {
    if (info.name == name) return parse_param(info, text);
  }
  return text;  // resolve_params refuses the name and says which there are
}

Params parse_params(const VariantInfo& variant, const std::vector<std::string>& assignments) {
  Params params;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ConfigError("--param must be name=value, got '" + assignment + "'");
    }
    const std::string name = assignment.substr(0, equals);
    if (params.contains(name)) {
      throw ConfigError("--param " + name + " must be given once, got it twice");
    }
    params.emplace(name, param_value(variant, name, assignment.substr(equals + 1)));
  }
  return resolve_params(variant.name, variant.params, params);
}

/// The models a variant's schemes have. The three models of a standard filter (theory 1.2) are W, D
/// and P, although its P is a variant of its own, partitioned.
std::string models_of(const VariantInfo& variant) {
  std::string models;
  for (const SchemeInfo& scheme : variant.schemes) {
    const char model = static_cast<char>(scheme.model);
    if (models.find(model) == std::string::npos) models.push_back(model);
  }
  if (variant.name == "standard") models.push_back('P');
  return models;
}

ProbeModel parse_model(const VariantInfo& variant, const std::string& text) {
  if (text.empty()) return variant.schemes.front().model;
  const std::string models = models_of(variant);
  if (text.size() == 1 && models.find(text.front()) != std::string::npos) {
    return static_cast<ProbeModel>(text.front());
  }
  std::string allowed;
  for (const char model : models) allowed.append(allowed.empty() ? "" : ", ").append(1, model);
  throw ConfigError("--probe-model of " + std::string(variant.name) + " must be one of " + allowed +
                    ", got '" + text + "'");
}

/// A fixed filter for n keys at p: the least size whose exact rate keeps it.
void size_for_rate(Subject& subject, const PointOptions& options) {
  const SizeAnswer answer = solve_size(subject.variant,
                                       {.num_keys = options.num_keys,
                                        .rate = options.rate,
                                        .num_hashes = options.num_hashes,
                                        .model = subject.model},
                                       subject.spec.params);
  if (!answer.is_sized()) {
    throw ConfigError("-p of " + std::string(answer.variant) + ": " + answer.refusal);
  }
  subject.spec.num_hashes = answer.num_hashes;
  (subject.variant.has_size_axis("num_counters") ? subject.spec.num_counters
                                                 : subject.spec.num_bits) = answer.num_cells;
}

void set_size(Subject& subject, const PointOptions& options) {
  const int num_sizes = int{options.num_cells.has_value()} + int{options.memory_bits.has_value()} +
                        int{options.bits_per_key.has_value()} + int{options.rate.has_value()};
  if (num_sizes != 1) {
    throw ConfigError("size must be given by one of -m, --bits-per-key and -p, got " +
                      std::to_string(num_sizes));
  }
  subject.spec.num_hashes = options.num_hashes;
  if (options.rate && !grows(subject.variant)) return size_for_rate(subject, options);
  subject.spec.target_false_positive_rate = options.rate;
  if (options.bits_per_key) {
    subject.spec.bits_per_key = options.bits_per_key;
    subject.spec.capacity = options.num_keys;
  } else if (options.memory_bits) {
    subject.spec.num_bits = options.memory_bits;
  } else {
    (subject.variant.has_size_axis("num_counters") ? subject.spec.num_counters
                                                   : subject.spec.num_bits) = options.num_cells;
  }
}

Subject subject_of(const PointOptions& options) {
  const VariantInfo& variant = find_variant(options.variant);
  if (!options.num_keys) throw ConfigError("-n must be given");
  Subject subject{.variant = variant,
                  .model = parse_model(variant, options.probe_model),
                  .num_keys = *options.num_keys};
  subject.spec.params = parse_params(variant, options.params);
  set_size(subject, options);
  if (!grows(variant) && !subject.spec.num_hashes) {
    subject.spec.num_hashes =
        best_num_hashes(variant, subject.spec, subject.model, subject.num_keys);
  }
  subject.geometry = variant.geometry(subject.spec);
  return subject;
}

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

void print_json(const Subject& subject, const Prediction& prediction) {
  nlohmann::ordered_json json = {{"variant", subject.variant.name},
                                 {"params", params_json(subject.spec.params)},
                                 {"probe_model", std::string(1, static_cast<char>(subject.model))},
                                 {"num_keys", subject.num_keys}};
  if (grows(subject.variant)) {
    json["target_false_positive_rate"] = or_null(subject.spec.target_false_positive_rate);
  } else {
    json["num_cells"] = subject.geometry.num_cells;
    json["cell_bits"] = subject.geometry.cell_bits;
    json["num_bits"] = subject.geometry.num_bits();
    json["num_hashes"] = subject.geometry.num_hashes;
  }
  nlohmann::ordered_json& rates = json["expected_false_positive_rate"];
  rates["exact"] = or_null(prediction.exact);
  for (const NamedRate& named : prediction.approximations) {
    rates[std::string(named.name)] = named.rate;
  }
  json["expected_fill_ratio"] = or_null(prediction.expected_fill_ratio);
  json["expected_rate_stddev"] = or_null(prediction.rate_stddev);
  std::cout << json.dump(2) << '\n';
}

std::string title_of(const Subject& subject) {
  std::string title = std::string(subject.variant.name) + ", probe model " +
                      static_cast<char>(subject.model) + ": " + grouped(subject.num_keys) + " keys";
  if (grows(subject.variant)) {
    return title + ", target rate " + rounded(*subject.spec.target_false_positive_rate, 10);
  }
  const Geometry& geometry = subject.geometry;
  title += ", m = " + grouped(geometry.num_cells);
  title += geometry.cell_bits == 1 ? " bits"
                                   : " counters of " + std::to_string(geometry.cell_bits) + " bits";
  return title + " (" + memory_text(geometry.num_bits()) +
         "), k = " + std::to_string(geometry.num_hashes);
}

void print_text(const Subject& subject, const Prediction& prediction) {
  constexpr int kDigits = 10;
  std::cout << title_of(subject) << '\n';
  for (const auto& [name, value] : subject.spec.params) {
    std::cout << "  " << name << " = " << to_string(value) << '\n';
  }
  TextTable table({{"expected", true}, {"value"}});
  table.add(
      {"rate, exact", prediction.exact ? rounded(*prediction.exact, kDigits) : "none is known"});
  for (const NamedRate& named : prediction.approximations) {
    table.add({"rate, " + std::string(named.name), rounded(named.rate, kDigits)});
  }
  if (prediction.rate_stddev) {
    table.add({"sd of the rate between filters", rounded(*prediction.rate_stddev, kDigits)});
  }
  if (prediction.expected_fill_ratio) {
    table.add({"fill ratio", rounded(*prediction.expected_fill_ratio, kDigits)});
  }
  std::cout << '\n';
  table.print(std::cout);
}

Prediction predict(const Subject& subject) {
  try {
    return find_theory(subject.variant.name).predict(subject.spec, subject.model, subject.num_keys);
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());  // a formula's own door: k > m in model P and the like
  }
}

}  // namespace

int theory_command(const PointOptions& options) {
  const Subject subject = subject_of(options);
  const Prediction prediction = predict(subject);
  if (options.json) {
    print_json(subject, prediction);
  } else {
    print_text(subject, prediction);
  }
  return kDone;
}

}  // namespace bloometry
