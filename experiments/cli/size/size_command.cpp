#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/size/emit.hpp"
#include "experiments/cli/size/size_answers.hpp"
#include "experiments/cli/size/size_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/unit/spec_text.hpp"
#include "variants/foreign/formats/formats.hpp"
#include "variants/registry/needs.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {
namespace {

/// Returns a message that lists the variants for each need. The command prints the message unless a
/// variant meets all needs.
std::string who_meets(const std::vector<std::string>& needs) {
  std::string text;
  for (const std::string& need : needs) {
    std::vector<std::string_view> names;
    for (const VariantInfo& variant : all_variant_infos()) {
      if (meets(variant, need)) names.push_back(variant.name);
    }
    text += fmt::format("  {}: {}\n", need, joined(names));
  }
  return text +
         "Size a filter that does not grow for the maximum number of keys that it contains at a "
         "time. If a filter cannot erase, build a new filter from the remaining keys.\n";
}

std::string cells_text(const SizeAnswer& answer) {
  if (answer.cell_bits == 1) return "bits";
  const bool is_table = find_variant(answer.variant).is_limited;
  return fmt::format("{}-bit {}", answer.cell_bits, is_table ? "cells" : "counters");
}

/// Returns the rate with few digits, or an upper bound of the rate that does not exceed a given p,
/// such as "<= 0.001" for 0.000999999994.
std::string rate_text(double rate, const std::optional<double>& requested) {
  if (!requested) return rounded(rate, 6);
  double bound = to_digits(rate, 4);
  if (bound < rate) bound = to_digits(rate * (1 + 1e-3), 4);
  return "<= " + rounded(std::min(bound, *requested), 10);
}

/// Returns the rate of an answer. The rate of a model does not guarantee a bound.
std::string rate_text(const SizeAnswer& answer, const std::optional<double>& requested) {
  if (answer.rate_by == name_of(RateKind::kModel)) return "about " + rounded(answer.rate, 4);
  return rate_text(answer.rate, requested);
}

std::string rate_at_twice_text(const SizeAnswer& answer) {
  const std::optional<double>& rate = answer.rate_at_twice_num_keys;
  return rate ? rounded(*rate, 4) : "no room";
}

std::string hashes_text(const SizeAnswer& answer) {
  return answer.num_hashes == 0 ? "by stage" : std::to_string(answer.num_hashes);
}

void print_answers(const SizeRequest& request, const std::vector<VariantAnswer>& answers) {
  TextTable table({{"variant", true},
                   {"n"},
                   {"m"},
                   {"cells", true},
                   {"memory"},
                   {"bits/key"},
                   {"k"},
                   {"guaranteed rate"},
                   {"rate at 2n"},
                   {"by", true}});
  for (const auto& [answer, nearest] : answers) {
    if (!answer.is_sized()) continue;
    table.add({std::string(answer.variant), grouped(answer.num_keys), grouped(answer.num_cells),
               cells_text(answer), memory_text(answer.num_bits()),
               rounded(answer.bits_per_key(), 5), hashes_text(answer),
               rate_text(answer, request.rate), rate_at_twice_text(answer),
               std::string(answer.rate_by)});
  }
  if (!table.empty()) table.print(std::cout);
}

void print_nearest(const SizeRequest& request, const std::vector<VariantAnswer>& answers) {
  TextTable table({{"nearest", true},
                   {"memory for this n and p"},
                   {"keys that fit at p"},
                   {"rate with n keys at this size"},
                   {"with k"}});
  for (const auto& [answer, nearest] : answers) {
    if (!nearest) continue;
    const auto& [size, keys, rate] = *nearest;
    table.add({std::string(answer.variant), size ? memory_text(size->num_bits()) : "-",
               keys ? grouped(keys->num_keys) : "-",
               rate ? rounded(std::max(rate->rate, *request.rate), 4) : "-",
               rate ? hashes_text(*rate) : "-"});
  }
  if (table.empty()) return;
  std::cout << '\n';
  table.print(std::cout);
}

void print_refusals(const std::vector<VariantAnswer>& answers) {
  TextTable table({{"not sized", true}, {"because", true}});
  for (const auto& [answer, nearest] : answers) {
    if (!answer.is_sized()) table.add({std::string(answer.variant), answer.refusal});
  }
  if (table.empty()) return;
  std::cout << '\n';
  table.print(std::cout);
}

bool any_meets_all(const std::vector<std::string>& needs) {
  const auto& variants = all_variant_infos();
  return std::any_of(variants.begin(), variants.end(),
                     [&](const VariantInfo& variant) { return lacking(variant, needs).empty(); });
}

/// Returns the given values as options of `bench`, such as " -n 1000000 -p 0.01". The command
/// `bench` has defaults for the other options.
std::string bench_options(const SizeRequest& request) {
  return (request.num_keys ? fmt::format(" -n {}", *request.num_keys) : "") +
         (request.rate ? " -p " + rounded(*request.rate, 10) : "");
}

void print_text(const SizeRequest& request, const std::vector<VariantAnswer>& answers,
                bool is_answered) {
  const std::vector<std::string>& needs = request.needs;
  std::cout << request_text(request) << (needs.empty() ? "" : ", needs " + joined(needs)) << "\n\n";
  print_answers(request, answers);
  if (!any_meets_all(needs)) {
    std::cout << "No variant meets all of these needs. These variants meet one of them:\n"
              << who_meets(needs);
  } else if (!is_answered) {
    std::cout << "No variant can be sized for this request.\n";
  }
  print_refusals(answers);
  print_nearest(request, answers);
  if (!is_answered) return;
  std::cout
      << "\nexact: the expected rate with m and k as whole numbers. bound: a proven upper bound of "
         "it. model: the rate by a model, without a guarantee.\ndesign_bound: the maximum rate of "
         "a filter that grows, for any number of keys, apart from equal digests.\nrate at 2n: the "
         "rate of the same filter with twice the keys.\nFilters of other programs, for bloometry "
         "theory NAME: "
      << names_of(foreign_formats()) << ".\nTime per key on this machine: bloometry bench"
      << bench_options(request) << "\n";
}

nlohmann::ordered_json to_json(const SizeAnswer& answer) {
  nlohmann::ordered_json json = {
      {"variant", answer.variant},
      {"probe_model", std::string(1, static_cast<char>(answer.model))},
      {"probes", answer.probes},
      {"num_keys", answer.num_keys},
      {"num_cells", answer.num_cells},
      {"cell_bits", answer.cell_bits},
      {"num_bits", answer.num_bits()},
      {"bits_per_key", answer.bits_per_key()},
      {"num_hashes", nullptr},
      {"params", nlohmann::ordered_json::parse(params_text(answer.params))},
      {"guaranteed_false_positive_rate", nullptr},
      {"guaranteed_by", nullptr},
      {"expected_false_positive_rate", answer.expected_rate},
      {"why_not_exact", nullptr},
      {"floor", nullptr},
      {"rate_at_twice_num_keys", finite_or_null(answer.rate_at_twice_num_keys)}};
  if (answer.num_hashes > 0) json["num_hashes"] = answer.num_hashes;
  const bool is_guaranteed = answer.rate_by != name_of(RateKind::kModel);
  if (is_guaranteed) {
    json["guaranteed_false_positive_rate"] = answer.rate;
    json["guaranteed_by"] = answer.rate_by;
  }
  if (!answer.why_not_exact.empty()) json["why_not_exact"] = answer.why_not_exact;
  if (answer.floor) json["floor"] = to_json(*answer.floor);
  return json;
}

nlohmann::ordered_json to_json(const NearestAnswers& nearest) {
  const auto json_of = [](const std::optional<SizeAnswer>& answer) {
    return answer ? to_json(*answer) : nlohmann::ordered_json(nullptr);
  };
  return {{"size_needed", json_of(nearest.size_needed)},
          {"keys_that_fit", json_of(nearest.keys_that_fit)},
          {"rate_reached", json_of(nearest.rate_reached)}};
}

void print_json(const SizeRequest& request, const std::vector<VariantAnswer>& answers) {
  nlohmann::ordered_json json;
  nlohmann::ordered_json& request_json = json["request"] = nlohmann::ordered_json::object();
  add_if_given(request_json, "num_keys", request.num_keys);
  add_if_given(request_json, "false_positive_rate", request.rate);
  add_if_given(request_json, "num_cells", request.num_cells);
  add_if_given(request_json, "num_bits", request.num_bits);
  add_if_given(request_json, "num_hashes", request.num_hashes);
  if (!request.probes.empty()) request_json["probes"] = request.probes;
  if (!request.params.empty()) {
    request_json["params"] = nlohmann::ordered_json::parse(params_text(request.params));
  }
  request_json["needs"] = request.needs;
  json["answers"] = nlohmann::ordered_json::array();
  json["refusals"] = nlohmann::ordered_json::array();
  for (const ForeignFormat& format : foreign_formats()) json["foreign"].push_back(format.name);
  for (const auto& [answer, nearest] : answers) {
    if (answer.is_sized()) {
      json["answers"].push_back(to_json(answer));
      continue;
    }
    json["refusals"].push_back({{"variant", answer.variant}, {"because", answer.refusal}});
    if (nearest) json["refusals"].back()["nearest"] = to_json(*nearest);
  }
  std::cout << json.dump(2) << '\n';
}

}  // namespace

int size_command(const PointOptions& options) {
  const InterruptWatch watch("files were not changed");
  if (!options.emit.empty()) return emit_command(options);
  if (!options.variant.empty()) {
    throw ConfigError("--variant must be left out without --emit, because all variants are sized");
  }
  const SizeRequest request = size_request(options);
  const std::vector<VariantAnswer> answers = solve_all(request);
  const bool is_answered =
      std::any_of(answers.begin(), answers.end(),
                  [](const VariantAnswer& given) { return given.answer.is_sized(); });
  if (options.json) {
    print_json(request, answers);
  } else {
    print_text(request, answers, is_answered);
  }
  return is_answered ? kDone : kAnswerIsNo;
}

}  // namespace bloometry
