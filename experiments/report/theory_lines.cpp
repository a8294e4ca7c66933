#include "experiments/report/theory_lines.hpp"

#include <fmt/core.h>

#include "core/text.hpp"

namespace bloometry::report {

std::string marks_and_lines(const std::string& marks, const TheoryLines& lines) {
  std::string text = marks;
  const auto add = [&](bool is_drawn, const std::string& what) {
    if (is_drawn) text += "; " + what;
  };
  add(lines.exact, "solid lines join exact theory at the measured points");
  add(lines.joined, "pale lines join the marks of filters that grow");
  add(lines.classic, "dashed lines are the classic formula (1-e^(-kn/m))^k");
  const bool is_fluid = lines.approximations.contains("fluid approximation");
  add(!lines.approximations.empty(),
      fmt::format("dotted lines are the {}{}", joined(lines.approximations),
                  is_fluid ? ", every stage at its mean fill" : ""));
  add(lines.exact && lines.classic, "where one line hides the other they agree");
  add(lines.strokes, "a short stroke at a mark is what theory expects there");
  return text + ".";
}

bool has_classic_rate(const SummaryRow& row) {
  return row.classic_false_positive_rate.value_or(0) > 0 && row.variant != "variable_increment";
}

nlohmann::json dash_scale(const TheoryLines& lines) {
  nlohmann::json names = nlohmann::json::array();
  nlohmann::json dashes = nlohmann::json::array();
  const auto add = [&](bool is_drawn, const std::string& name, const nlohmann::json& dash) {
    if (!is_drawn) return;
    names.push_back(name);
    dashes.push_back(dash);
  };
  add(lines.exact, kExact, {1, 0});
  add(lines.classic, kClassic, {7, 4});
  for (const std::string& name : lines.approximations) add(true, name, {2, 3});
  add(lines.bound, kBound, {10, 3, 2, 3});
  return {{"domain", names}, {"range", dashes}};
}

}  // namespace bloometry::report
