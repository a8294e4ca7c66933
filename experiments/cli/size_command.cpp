#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/text_table.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {
namespace {

constexpr std::array<std::string_view, 4> kNeeds = {"erase", "grow", "merge", "cache-line"};

void check_needs(const std::vector<std::string>& needs) {
  for (const std::string& need : needs) {
    if (std::find(kNeeds.begin(), kNeeds.end(), need) != kNeeds.end()) continue;
    throw ConfigError("--needs must be of erase, grow, merge, cache-line, got '" + need + "'");
  }
}

/// cache-line: all cells of a key are in one line, as a filter of blocks has them.
bool meets(const VariantInfo& variant, const std::string& need) {
  if (need == "cache-line") return variant.sized_by_blocks;
  return std::any_of(variant.operations.begin(), variant.operations.end(),
                     [&](Operation operation) { return name_of(operation) == need; });
}

/// Needs that a variant lacks, as text; empty if it has all.
std::string lacking(const VariantInfo& variant, const std::vector<std::string>& needs) {
  std::string text;
  for (const std::string& need : needs) {
    if (meets(variant, need)) continue;
    text.append(text.empty() ? "cannot " : ", ").append(need);
  }
  return text;
}

std::vector<SizeAnswer> answers_of(const SizeQuestion& question,
                                   const std::vector<std::string>& needs) {
  std::vector<SizeAnswer> answers;
  for (const VariantInfo& variant : all_variant_infos()) {
    const std::string missing = lacking(variant, needs);
    SizeAnswer answer = solve_size(variant, question);
    if (!missing.empty()) answer.refusal = missing;
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::string question_text(const SizeQuestion& question) {
  std::vector<std::string> parts;
  if (question.num_keys) parts.push_back("n = " + grouped(*question.num_keys) + " keys");
  if (question.rate) parts.push_back("p <= " + rounded(*question.rate, 10));
  if (question.num_cells) parts.push_back("m = " + grouped(*question.num_cells) + " cells");
  if (question.num_bits) parts.push_back("memory " + memory_text(*question.num_bits));
  if (question.num_hashes) parts.push_back("k = " + std::to_string(*question.num_hashes));
  return joined(parts);
}

std::string cells_text(const SizeAnswer& answer) {
  return answer.cell_bits == 1 ? "bits" : std::to_string(answer.cell_bits) + "-bit counters";
}

void print_answers(const std::vector<SizeAnswer>& answers) {
  TextTable table({{"variant", true},
                   {"n"},
                   {"m"},
                   {"cells", true},
                   {"memory"},
                   {"bits/key"},
                   {"k"},
                   {"guaranteed rate"},
                   {"by", true}});
  for (const SizeAnswer& answer : answers) {
    if (!answer.is_sized()) continue;
    table.add({std::string(answer.variant), grouped(answer.num_keys), grouped(answer.num_cells),
               cells_text(answer), memory_text(answer.num_bits()),
               rounded(answer.bits_per_key(), 5),
               answer.num_hashes == 0 ? "by stage" : std::to_string(answer.num_hashes),
               rounded(answer.rate, 6), std::string(answer.rate_by)});
  }
  if (!table.empty()) table.print(std::cout);
}

void print_refusals(const std::vector<SizeAnswer>& answers) {
  TextTable table({{"not sized", true}, {"because", true}});
  for (const SizeAnswer& answer : answers) {
    if (!answer.is_sized()) table.add({std::string(answer.variant), answer.refusal});
  }
  if (table.empty()) return;
  std::cout << '\n';
  table.print(std::cout);
}

void print_text(const SizeQuestion& question, const std::vector<std::string>& needs,
                const std::vector<SizeAnswer>& answers, bool is_answered) {
  std::cout << question_text(question) << (needs.empty() ? "" : ", needs " + joined(needs))
            << "\n\n";
  print_answers(answers);
  if (!is_answered) {
    std::cout << (needs.empty() ? "No variant can be sized for this question.\n"
                                : "No variant meets these needs.\n");
  }
  print_refusals(answers);
  if (!is_answered) return;
  std::cout << "\nexact: the expected rate with m and k as whole numbers. design_bound: kept by a "
               "filter that grows, however far.\n";
}

template <class T>
void add(nlohmann::ordered_json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

nlohmann::ordered_json to_json(const SizeAnswer& answer) {
  nlohmann::ordered_json json = {{"variant", answer.variant},
                                 {"probe_model", std::string(1, static_cast<char>(answer.model))},
                                 {"num_keys", answer.num_keys},
                                 {"num_cells", answer.num_cells},
                                 {"cell_bits", answer.cell_bits},
                                 {"num_bits", answer.num_bits()},
                                 {"bits_per_key", answer.bits_per_key()},
                                 {"num_hashes", nullptr},
                                 {"guaranteed_false_positive_rate", answer.rate},
                                 {"guaranteed_by", answer.rate_by}};
  if (answer.num_hashes > 0) json["num_hashes"] = answer.num_hashes;
  return json;
}

void print_json(const SizeQuestion& question, const std::vector<std::string>& needs,
                const std::vector<SizeAnswer>& answers) {
  nlohmann::ordered_json json;
  nlohmann::ordered_json& asked = json["question"] = nlohmann::ordered_json::object();
  add(asked, "num_keys", question.num_keys);
  add(asked, "false_positive_rate", question.rate);
  add(asked, "num_cells", question.num_cells);
  add(asked, "num_bits", question.num_bits);
  add(asked, "num_hashes", question.num_hashes);
  asked["needs"] = needs;
  json["answers"] = nlohmann::ordered_json::array();
  json["refusals"] = nlohmann::ordered_json::array();
  for (const SizeAnswer& answer : answers) {
    if (answer.is_sized()) {
      json["answers"].push_back(to_json(answer));
    } else {
      json["refusals"].push_back({{"variant", answer.variant}, {"because", answer.refusal}});
    }
  }
  std::cout << json.dump(2) << '\n';
}

}  // namespace

int size_command(const PointOptions& options) {
  const InterruptWatch watch("nothing was written");
  const SizeQuestion question{.num_keys = options.num_keys,
                              .rate = options.rate,
                              .num_cells = options.num_cells,
                              .num_bits = options.memory_bits,
                              .num_hashes = options.num_hashes};
  ProblemCollector problems;
  problems.collect([&] { check_needs(options.needs); });
  problems.collect([&] { require_valid(question); });
  problems.throw_if_any();
  const std::vector<SizeAnswer> answers = answers_of(question, options.needs);
  const bool is_answered = std::any_of(answers.begin(), answers.end(),
                                       [](const SizeAnswer& answer) { return answer.is_sized(); });
  if (options.json) {
    print_json(question, options.needs, answers);
  } else {
    print_text(question, options.needs, answers, is_answered);
  }
  return is_answered ? kDone : kAnswerIsNo;
}

}  // namespace bloometry
