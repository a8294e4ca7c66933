#include "experiments/unit/spec_text.hpp"

#include <nlohmann/json.hpp>

#include "experiments/text/number_text.hpp"

namespace bloometry {

std::string params_text(const Params& params) {
  std::string text = "{";
  for (const auto& [name, value] : params) {
    text.append(text.size() > 1 ? "," : "").append(nlohmann::json(name).dump()).append(":");
    if (const auto* number = std::get_if<double>(&value)) {
      text += number_text(*number);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      text += nlohmann::json(*word).dump();
    } else {
      text += to_string(value);
    }
  }
  return text + "}";
}

std::string size_text(const FilterSpec& spec) {
  if (spec.num_bits) return "num_bits=" + std::to_string(*spec.num_bits);
  if (spec.num_counters) return "num_counters=" + std::to_string(*spec.num_counters);
  return "target_false_positive_rate=" + number_text(spec.target_false_positive_rate.value_or(0));
}

}  // namespace bloometry
