#include "experiments/verdict/theory_point.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

ParamValue param_value(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return value.get<std::vector<std::int64_t>>();
}

}  // namespace

Params params_from_text(const std::string& json) {
  try {
    Params params;
    const nlohmann::json object = nlohmann::json::parse(json);  // items() only refers to it
    for (const auto& [name, value] : object.items()) {
      params.emplace(name, param_value(value));
    }
    return params;
  } catch (const nlohmann::json::exception&) {
    throw ConfigError("params must be a JSON object of numbers, texts and lists of integers, got " +
                      json);
  }
}

TheoryPoint theory_point(const TrialRow& row, std::uint64_t num_keys) {
  const VariantInfo& variant = find_variant(row.variant);
  TheoryPoint point{
      .variant = row.variant, .model = variant.scheme(row.probes).model, .num_keys = num_keys};
  point.spec.params = params_from_text(row.params);
  if (row.target_false_positive_rate) {
    point.spec.target_false_positive_rate = row.target_false_positive_rate;
  } else if (row.num_counters) {
    point.spec.num_counters = row.num_counters;
  } else {
    point.spec.num_bits = row.num_bits;
  }
  if (row.num_hashes) point.spec.num_hashes = static_cast<unsigned>(*row.num_hashes);
  return point;
}

}  // namespace bloometry
