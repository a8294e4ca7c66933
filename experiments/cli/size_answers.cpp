#include "experiments/cli/size_answers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/text_table.hpp"

namespace bloometry {
namespace {

constexpr std::array<std::string_view, 4> kNeeds = {"erase", "grow", "merge", "cache-line"};

void check_needs(const std::vector<std::string>& needs) {
  for (const std::string& need : needs) {
    if (std::find(kNeeds.begin(), kNeeds.end(), need) != kNeeds.end()) continue;
    throw ConfigError("--needs must be of erase, grow, merge, cache-line, got '" + need + "'");
  }
}

bool is_overdetermined(const SizeQuestion& question) {
  return question.num_keys && question.rate && (question.num_cells || question.num_bits);
}

/// Converts bits per key to the memory for n keys, rounded as in FilterSpec.
void take_bits_per_key(const PointOptions& options, SizeQuestion& question) {
  if (!options.bits_per_key) return;
  if (question.num_cells || question.num_bits) {
    throw ConfigError("--bits-per-key must be left out with another size");
  }
  if (!options.num_keys) {
    throw ConfigError("--bits-per-key must be given with -n: without it any n fits");
  }
  const double num_bits = *options.bits_per_key * static_cast<double>(*options.num_keys);
  if (!(num_bits >= 1 && num_bits <= 0x1p53)) {
    throw ConfigError("--bits-per-key times -n must be in [1, 2^53] bits, got " +
                      rounded(num_bits, 6));
  }
  question.num_bits = static_cast<std::uint64_t>(std::llround(num_bits));
}

}  // namespace

SizeQuestion size_question(const PointOptions& options) {
  SizeQuestion question{.num_keys = options.num_keys,
                        .rate = options.rate,
                        .num_cells = options.num_cells,
                        .num_bits = options.memory_bits,
                        .num_hashes = options.num_hashes};
  ProblemCollector problems;
  problems.collect([&] { check_needs(options.needs); });
  problems.collect([&] {
    take_bits_per_key(options, question);
    require_valid(question);
  });
  problems.throw_if_any();
  return question;
}

bool meets(const VariantInfo& variant, const std::string& need) {
  if (need == "cache-line") return variant.sized_by_blocks;
  return std::any_of(variant.operations.begin(), variant.operations.end(),
                     [&](Operation operation) { return name_of(operation) == need; });
}

std::string lacking(const VariantInfo& variant, const std::vector<std::string>& needs) {
  std::string text;
  for (const std::string& need : needs) {
    if (meets(variant, need)) continue;
    text.append(text.empty() ? "cannot " : ", ").append(need);
  }
  return text;
}

std::vector<VariantAnswer> answers_of(const SizeQuestion& question,
                                      const std::vector<std::string>& needs) {
  std::vector<VariantAnswer> answers;
  for (const VariantInfo& variant : all_variant_infos()) {
    VariantAnswer given{.answer = solve_size(variant, question)};
    const std::string missing = lacking(variant, needs);
    if (!missing.empty()) {
      given.answer.refusal = missing;
    } else if (!given.answer.is_sized() && is_overdetermined(question)) {
      given.nearest = nearest_answers(variant, question);
    }
    answers.push_back(std::move(given));
  }
  return answers;
}

std::string question_text(const SizeQuestion& question) {
  std::vector<std::string> parts;
  if (question.num_keys) {
    parts.push_back("n = " + grouped(*question.num_keys) +
                    (*question.num_keys == 1 ? " key" : " keys"));
  }
  if (question.rate) parts.push_back("p <= " + rounded(*question.rate, 10));
  if (question.num_cells) parts.push_back("m = " + grouped(*question.num_cells) + " cells");
  if (question.num_bits) parts.push_back("memory " + memory_text(*question.num_bits));
  if (question.num_hashes) parts.push_back("k = " + std::to_string(*question.num_hashes));
  return joined(parts);
}

}  // namespace bloometry
