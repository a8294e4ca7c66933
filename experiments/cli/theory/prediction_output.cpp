#include "experiments/cli/theory/prediction_output.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/report/theory_lines.hpp"

namespace bloometry {
namespace {

constexpr int kRateDigits = 10;

struct FormulaWords {
  std::string_view name;
  std::string_view words;
};

constexpr std::array kFormulas = {
    FormulaWords{"classic", "(1 - e^(-kn/m))^k, the formula of textbooks"},
    FormulaWords{"semi", "(1 - (1 - 1/m)^(kn))^k, as if the probes of a query were independent"},
    FormulaWords{"semi_in_block", "semi per block, averaged over the number of keys in the block"},
    FormulaWords{"classic_in_block",
                 "classic per block, averaged over the number of keys in the block"},
    FormulaWords{"second_order", "semi, corrected for the variation of the fill between filters"},
    FormulaWords{"goel_gupta_upper",
                 "an upper bound for digests of unlimited width (Goel and Gupta 2010)"},
    FormulaWords{"poisson", "with Poisson's law for the keys of a block or the hits of a counter"},
    FormulaWords{"paper", "the formula of the variant's paper"},
    FormulaWords{"linear", "n over the number of fingerprints, an upper bound"},
    FormulaWords{"independent_cells",
                 "1 - (1 - 2^-f)^(2 b load), as if the cells of two buckets were independent"},
    FormulaWords{"fluid", "the rate with every stage at its mean fill"},
    FormulaWords{
        "design_bound",
        "the rate for which all stages together are sized, for any number of keys; equal digests "
        "add to it"}};

void explain(const std::vector<NamedRate>& rates) {
  std::cout << '\n';
  for (const FormulaWords& formula : kFormulas) {
    const bool is_printed = std::any_of(rates.begin(), rates.end(), [&](const NamedRate& named) {
      return named.name == formula.name;
    });
    if (is_printed) std::cout << formula.name << ": " << formula.words << '\n';
  }
}

/// Returns the label of the row with the best known rate.
std::string best_rate_label(const Prediction& prediction) {
  if (prediction.exact || !prediction.expected) return "exact";
  return label_of(*prediction.expected);
}

std::string best_rate_text(const Prediction& prediction, bool is_empty) {
  if (prediction.exact) return rate_text(*prediction.exact, is_empty, kRateDigits);
  return prediction.expected ? value_text(*prediction.expected, is_empty) : "unknown";
}

}  // namespace

std::string rate_text(double rate, bool is_empty, int num_digits) {
  if (rate == 0 && !is_empty) return "below 1e-300";
  return rounded(rate, num_digits);
}

std::string value_text(const ExpectedRate& rate, bool is_empty) {
  if (!rate.standard_error) return rate_text(rate.rate, is_empty, kRateDigits);
  constexpr int kIntegratedDigits = 4;
  return fmt::format("{} (standard error {})", rate_text(rate.rate, is_empty, kIntegratedDigits),
                     rounded(*rate.standard_error, 2));
}

std::string label_of(const ExpectedRate& rate) {
  if (rate.kind == RateKind::kExact) return "exact";
  if (rate.kind == RateKind::kBound) return "upper bound";
  return report::theory_name(rate.formula);
}

std::string notes_of(const ExpectedRate& rate) {
  std::string notes;
  if (rate.kind != RateKind::kExact) {
    notes =
        fmt::format("{}: not exact, because {}\n",
                    rate.kind == RateKind::kModel ? "model" : "upper bound", rate.why_not_exact);
  }
  if (!rate.condition.empty()) notes += fmt::format("the rate holds if {}\n", rate.condition);
  if (rate.kind == RateKind::kModel && rate.upper_bound) {
    notes += fmt::format("proven upper bound of the rate: {}\n",
                         rounded(*rate.upper_bound, kRateDigits));
  }
  if (has_visible_floor(rate)) {
    notes += fmt::format(
        "floor of the rate: {}, the probability that a query has the digest bits of a member ({} "
        "bits); lowered by {}\n",
        rounded(rate.floor->rate, 4), rounded(rate.floor->num_bits, 4), rate.floor->lowered_by);
  }
  return notes;
}

bool has_visible_floor(const ExpectedRate& rate) {
  constexpr double kVisible = 1e-10;  // share of the rate that changes its printed digits
  return rate.floor && rate.floor->rate > kVisible * rate.rate;
}

nlohmann::ordered_json to_json(const ExpectedRate& rate) {
  nlohmann::ordered_json json = {{"rate", rate.rate},
                                 {"kind", name_of(rate.kind)},
                                 {"formula", rate.formula},
                                 {"why_not_exact", nullptr},
                                 {"condition", nullptr},
                                 {"upper_bound", or_null(rate.upper_bound)},
                                 {"standard_error", or_null(rate.standard_error)},
                                 {"floor", nullptr}};
  if (!rate.why_not_exact.empty()) json["why_not_exact"] = rate.why_not_exact;
  if (!rate.condition.empty()) json["condition"] = rate.condition;
  if (rate.floor) json["floor"] = to_json(*rate.floor);
  return json;
}

nlohmann::ordered_json to_json(const RateFloor& floor) {
  return {{"name", floor.name},
          {"rate", floor.rate},
          {"num_bits", floor.num_bits},
          {"lowered_by", floor.lowered_by}};
}

void print_prediction(const Prediction& prediction, std::uint64_t num_keys) {
  const bool is_empty = num_keys == 0;
  TextTable table({{"expected", true}, {"value"}});
  table.add({"rate, " + best_rate_label(prediction), best_rate_text(prediction, is_empty)});
  for (const NamedRate& named : prediction.approximations) {
    table.add({fmt::format("rate, {}", named.name),
               named.rate ? rate_text(*named.rate, is_empty, kRateDigits) : "-"});
  }
  if (prediction.phase_rates) {
    const PhaseRates& phases = *prediction.phase_rates;
    table.add({"rate at the start of a generation", rounded(phases.start, kRateDigits)});
    table.add({"mean rate over a generation", rounded(phases.mean, kRateDigits)});
    table.add({"rate at the end of a generation", rounded(phases.worst, kRateDigits)});
  }
  if (prediction.rate_stddev) {
    table.add({"sd of the rate between filters", rounded(*prediction.rate_stddev, kRateDigits)});
  }
  if (prediction.expected_fill_ratio) {
    table.add({"fill ratio", rounded(*prediction.expected_fill_ratio, kRateDigits)});
  }
  std::cout << '\n';
  table.print(std::cout);
  const auto& rates = prediction.approximations;
  const bool has_all = std::all_of(rates.begin(), rates.end(),
                                   [](const NamedRate& named) { return named.rate.has_value(); });
  explain(rates);
  if (prediction.phase_rates) {
    std::cout
        << "rates of a generation: after many inserts, when all older generations are full.\n";
  }
  if (!prediction.has_room) {
    std::cout << "-: the formula is for a filter that contains all keys.\n";
  } else if (!has_all) {
    std::cout << "-: the formula gives more than 1 here, so it is outside its range.\n";
  }
  if (prediction.expected) std::cout << notes_of(*prediction.expected);
}

void add_prediction(nlohmann::ordered_json& json, const Prediction& prediction) {
  nlohmann::ordered_json& rates = json["expected_false_positive_rate"];
  rates["exact"] = or_null(prediction.exact);
  for (const NamedRate& named : prediction.approximations) {
    rates[std::string(named.name)] = or_null(named.rate);
  }
  json["expected"] =
      prediction.expected ? to_json(*prediction.expected) : nlohmann::ordered_json(nullptr);
  json["expected_fill_ratio"] = or_null(prediction.expected_fill_ratio);
  if (const std::optional<PhaseRates>& phases = prediction.phase_rates) {
    json["phase_rates"] = {
        {"start", phases->start}, {"mean", phases->mean}, {"worst", phases->worst}};
  }
  json["expected_rate_stddev"] = or_null(prediction.rate_stddev);
}

}  // namespace bloometry
