#include "experiments/unit/spec_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/contract/size_axis.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump();
}

std::string params_text(const Params& params) {
  std::string text = "{";
  for (const auto& [name, value] : params) {
    text += fmt::format("{}{}:", text.size() > 1 ? "," : "", json_string(name));
    if (const auto* number = std::get_if<double>(&value)) {
      text += number_text(*number);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      text += json_string(*word);
    } else {
      text += to_string(value);
    }
  }
  return text + "}";
}

std::string size_text(const FilterSpec& spec) {
  for (const SizeAxis axis : size_axes_given(spec)) {
    return fmt::format("{}={}", name_of(axis), size_text_on(spec, axis));
  }
  return {};
}

}  // namespace bloometry
