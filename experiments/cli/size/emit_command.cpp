#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/size/emit.hpp"
#include "experiments/cli/size/size_answers.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/registry/sizing.hpp"

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
  throw ConfigError(
      fmt::format("--emit must be one of cpp, cmake, guava, parquet, got '{}'", name));
}

/// Emits code for another program's filter. The other program computes the size from n and p.
int emit_of_program(const Target& target, const PointOptions& options) {
  const SizeRequest& request = options.request;
  ProblemCollector problems;
  const auto require = [&](bool holds, const char* option, const char* what,
                           const char* kind = "") {
    if (holds) return;
    problems.collect([&] {
      throw ConfigError(
          fmt::format("{} must be {} with --emit {}{}", option, what, target.name, kind));
    });
  };
  require(request.num_keys.has_value(), "-n", "given", ": the number of keys, like 1e6");
  require(request.rate.has_value(), "-p", "given", ": the target rate, like 0.01");
  require(!size_in_bits(request), "-m", "left out");
  require(!request.bits_per_key, "--bits-per-key", "left out");
  require(!request.num_hashes, "-k", "left out");
  require(request.needs.empty(), "--needs", "left out");
  require(request.probes.empty(), "--probes", "left out");
  require(options.params.empty(), "--param", "left out");
  require(options.variant.empty(), "--variant", "left out");
  problems.throw_if_any();
  std::cout << target.of_program(*request.num_keys, *request.rate);
  warn_of_limited_size(*find_foreign_format(target.format), *request.num_keys, *request.rate);
  return kDone;
}

/// Returns the variants among which the best one was chosen, as a phrase.
std::string candidates_text(const SizeRequest& request) {
  std::vector<std::string> conditions;
  if (!request.needs.empty()) conditions.push_back("meet --needs " + joined(request.needs));
  if (!request.probes.empty()) conditions.push_back("have the scheme " + request.probes);
  for (const auto& [name, value] : request.params) {
    conditions.push_back("have the parameter " + name);
  }
  if (conditions.empty()) return "all variants";
  return "the variants that " + joined(conditions, std::identity(), " and ");
}

std::string choice_text(const SizeRequest& request) {
  return fmt::format("Of {}, the one with the {}; --variant NAME chooses another.",
                     candidates_text(request),
                     !has_size(request)  ? "least memory"
                     : !request.num_keys ? "most keys"
                                         : "lowest rate");
}

int emit_of_variant(const Target& target, const PointOptions& options) {
  const SizeRequest request = size_request(options);
  std::vector<VariantAnswer> answers = solve_all(request);
  if (!options.variant.empty()) {
    const VariantInfo& variant = find_variant(options.variant);
    static_cast<void>(
        scheme_of(variant, request.probes));  // throws if the variant lacks the scheme
    const std::string_view name = variant.name;
    std::erase_if(answers,
                  [&](const VariantAnswer& given) { return given.answer.variant != name; });
  }
  const std::optional<SizeAnswer> answer = best_answer(request, answers);
  if (!answer) {
    for (const auto& [refused, nearest] : answers) {
      print_message(
          fmt::format("{} cannot satisfy the options: {}", refused.variant, refused.refusal));
    }
    return kAnswerIsNo;
  }
  std::cout << target.of_variant({.answer = *answer,
                                  .request = request_text(request),
                                  .choice = options.variant.empty() ? choice_text(request) : ""});
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
