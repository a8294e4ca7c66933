#include "experiments/report/theory_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace bloometry::report {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

constexpr auto kNames =
    std::to_array<Name>({{"exact", kExact},
                         {"classic", kClassic},
                         {"independent_probes", "model of independent probes"},
                         {"independent_lanes", "model of independent lanes"},
                         {"uniform_hash", "model of a uniform hash"},
                         {"unselected_keys", "model of unselected keys"},
                         {"estimated_keys", "model of estimated keys"},
                         {"all_erased", "model of complete erases"},
                         {"coincidences", "model of coincidences"},
                         {"without_collisions", "model without collisions"},
                         {"digest_collisions", "upper bound with digest collisions"},
                         {"goel_gupta_upper", "Goel-Gupta upper bound"}});

/// A pattern of dashes and its name in captions.
struct Dash {
  const char* name;
  std::vector<int> pattern;
};

/// Returns the dashes of an approximation, which depend on its place among those of the run.
const Dash& dash_of(const std::string& approximation, const TheoryLines& lines) {
  static const std::vector<Dash> kDashes = {
      {"dotted", {2, 3}},       {"dash-dotted", {5, 2, 1, 2}},           {"finely dotted", {1, 1}},
      {"short-dashed", {4, 2}}, {"dash-dot-dotted", {8, 2, 2, 2, 2, 2}}, {"long-dashed", {14, 3}}};
  std::set<std::string> names = lines.of_run;
  for (const auto& [name, whose] : lines.approximations) names.insert(name);
  const auto place = std::distance(names.begin(), names.find(approximation));
  return kDashes[static_cast<std::size_t>(place) % kDashes.size()];
}

/// Returns the words for the lines of an approximation, such as "dotted lines join the fluid
/// approximation at the measured points".
std::string about_approximation(const std::string& name, const std::string& whose,
                                const TheoryLines& lines) {
  const bool is_fluid = name == "fluid approximation";
  return fmt::format("{} lines join the {}{}{} at the measured points", dash_of(name, lines).name,
                     name, is_fluid ? " (every stage at its mean fill)" : "", whose);
}

}  // namespace

std::string theory_name(std::string_view formula) {
  const auto found = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const Name& name) { return name.first == formula; });
  if (found != kNames.end()) return std::string(found->second);
  std::string words(formula);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words.ends_with("bound") || words.ends_with("approximation") ? words
                                                                      : words + " approximation";
}

std::string fill_theory_name(const SummaryRow& row) {
  const std::string name = theory_name(row.expected_by);
  return name.starts_with("model") || name.ends_with("bound") ? name : kExact;
}

std::string marks_and_lines(const std::string& marks, const TheoryLines& lines) {
  std::string text = marks;
  const auto add = [&](bool is_drawn, const std::string& what) {
    if (is_drawn) text += "; " + what;
  };
  add(lines.exact, "solid lines join exact theory at the measured points");
  add(lines.joined, "pale lines join the marks of filters that grow");
  add(lines.classic, "dashed lines are the classic formula (1-e^(-kn/m))^k");
  for (const auto& [name, whose] : lines.approximations) {
    add(true, about_approximation(name, whose, lines));
  }
  add(lines.classic && !lines.without_classic.empty(),
      fmt::format("no classic formula for {}", joined(lines.without_classic)));
  add(lines.exact && lines.classic && lines.hides_classic,
      "where the solid line of a series covers its dashed line they agree");
  add(lines.grow,
      "lines of filters that grow hold only at the measured points, because theory bends wherever "
      "a stage is opened");
  add(lines.strokes, lines.bound_strokes
                         ? "a short stroke above or below a mark is what theory expects there, or "
                           "only an upper bound of it"
                         : "a short stroke at a mark is what theory expects there");
  return text + ".";
}

bool has_classic_rate(const SummaryRow& row) {
  return row.classic_false_positive_rate.value_or(0) > 0 && row.variant != "variable_increment";
}

std::set<std::string> variants_without_classic_rate(const Rows& rows) {
  std::set<std::string> variants;
  for (const SummaryRow* row : rows) variants.insert(row->variant);
  for (const SummaryRow* row : rows) {
    if (has_classic_rate(*row)) variants.erase(row->variant);
  }
  return variants;
}

nlohmann::json bound_points(double low, double high, bool has_log_x) {
  const int num_steps = has_log_x ? 40 : 1;
  nlohmann::json points = nlohmann::json::array();
  for (int i = 0; i <= num_steps; ++i) {
    const double share = i / static_cast<double>(num_steps);
    const double x = has_log_x ? low * std::pow(high / low, share) : low + (high - low) * share;
    points.push_back({{"x", x}, {"bound", std::exp2(-x)}});
  }
  return points;
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
  for (const auto& [name, whose] : lines.approximations) {
    add(true, name, dash_of(name, lines).pattern);
  }
  add(lines.bound, kBound, {10, 3, 2, 3});
  return {{"domain", names}, {"range", dashes}};
}

}  // namespace bloometry::report
