#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/size/emit.hpp"
#include "experiments/cli/size/size_answers.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/resolved_point.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

namespace bloometry {
namespace {

/// The language or tool of the emitted code, and the function that returns the code.
struct Target {
  std::string_view name;
  std::string (*of_variant)(const EmittedFilter& filter);          ///< null for a foreign filter
  std::string (*of_program)(std::uint64_t num_keys, double rate);  ///< null for a native filter
  std::string_view format;  ///< name of the foreign format, or empty
};

constexpr std::array kTargets = {
    Target{"cpp", emitted_cpp, nullptr, {}}, Target{"cmake", emitted_cmake, nullptr, {}},
    Target{"guava", nullptr, emitted_guava, GuavaFilter::kName},
    Target{"parquet", nullptr, emitted_parquet, ParquetSbbfFilter::kName}};

const Target& target_named(const std::string& name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return target;
  }
  throw ConfigError("--emit must be one of cpp, cmake, guava, parquet, got '" + name + "'");
}

/// Emits code for another program's filter. The other program computes the size from n and p.
int emit_of_program(const Target& target, const PointOptions& options) {
  ProblemCollector problems;
  const auto require = [&](bool holds, const char* option, const char* what,
                           const char* kind = "") {
    if (holds) return;
    problems.collect([&] {
      throw ConfigError(std::string(option) + " must be " + what + " with --emit " +
                        std::string(target.name) + kind);
    });
  };
  require(options.num_keys.has_value(), "-n", "given", ": the number of keys, like 1e6");
  require(options.rate.has_value(), "-p", "given", ": the target rate, like 0.01");
  require(!options.num_cells && !options.memory_bits, "-m", "left out");
  require(!options.bits_per_key, "--bits-per-key", "left out");
  require(!options.num_hashes, "-k", "left out");
  require(options.needs.empty(), "--needs", "left out");
  require(options.probes.empty(), "--probes", "left out");
  require(options.variant.empty(), "--variant", "left out");
  problems.throw_if_any();
  std::cout << target.of_program(*options.num_keys, *options.rate);
  warn_of_limited_size(*find_foreign_format(target.format), *options.num_keys, *options.rate);
  return kDone;
}

/// Sort key of the variants. If the user did not name a variant, the command chooses the variant
/// with the smallest Merit.
using Merit = std::tuple<double, double>;

Merit merit_of(const SizeRequest& request, const SizeAnswer& answer) {
  const auto num_bits = static_cast<double>(answer.num_bits());
  if (!request.num_cells && !request.num_bits) return {num_bits, answer.rate};
  if (!request.num_keys) return {-static_cast<double>(answer.num_keys), num_bits};
  return {answer.rate, num_bits};
}

std::string choice_text(const SizeRequest& request, const PointOptions& options) {
  const bool is_size_given = request.num_cells || request.num_bits;
  return "Of " +
         (options.needs.empty() ? "all variants"
                                : "the variants that meet --needs " + joined(options.needs)) +
         (options.probes.empty() ? "" : " with the scheme " + options.probes) +
         ", the one with the " +
         (!is_size_given      ? "least memory"
          : !request.num_keys ? "most keys"
                              : "lowest rate") +
         "; --variant NAME chooses another.";
}

std::optional<SizeAnswer> best_answer(const SizeRequest& request,
                                      const std::vector<VariantAnswer>& answers) {
  std::optional<SizeAnswer> best;
  for (const auto& [answer, nearest] : answers) {
    if (!answer.is_sized()) continue;
    if (!best || merit_of(request, answer) < merit_of(request, *best)) best = answer;
  }
  return best;
}

int emit_of_variant(const Target& target, const PointOptions& options) {
  const SizeRequest request = size_request(options);
  std::vector<VariantAnswer> answers = answers_of(request, options.needs, options.probes);
  if (!options.variant.empty()) {
    const VariantInfo& variant = find_variant(options.variant);
    static_cast<void>(
        scheme_of(variant, options.probes));  // throws if the variant lacks the scheme
    const std::string_view name = variant.name;
    std::erase_if(answers,
                  [&](const VariantAnswer& given) { return given.answer.variant != name; });
  }
  const std::optional<SizeAnswer> answer = best_answer(request, answers);
  if (!answer) {
    for (const auto& [refused, nearest] : answers) {
      print_message(std::string(refused.variant) +
                    " cannot satisfy the options: " + refused.refusal);
    }
    return kAnswerIsNo;
  }
  std::cout << target.of_variant(
      {.answer = *answer,
       .request = request_text(request, options.probes),
       .choice = options.variant.empty() ? choice_text(request, options) : ""});
  return kDone;
}

}  // namespace

int emit_command(const PointOptions& options) {
  const Target& target = target_named(options.emit);
  if (options.json) throw ConfigError("--json must be left out with --emit");
  return target.of_program != nullptr ? emit_of_program(target, options)
                                      : emit_of_variant(target, options);
}

}  // namespace bloometry
