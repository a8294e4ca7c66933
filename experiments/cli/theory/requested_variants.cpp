#include "experiments/cli/theory/requested_variants.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "experiments/text/number_notation.hpp"

namespace bloometry {
namespace {

/// A problem, and the variants that have it.
using SharedProblem = std::pair<Problem, std::vector<std::string>>;

void add_problems(const ConfigError& error, const std::string& variant,
                  std::vector<SharedProblem>& shared) {
  for (const Problem& problem : error.problems()) {
    const auto is_same = [&](const SharedProblem& other) { return other.first == problem; };
    const auto found = std::find_if(shared.begin(), shared.end(), is_same);
    if (found == shared.end()) {
      shared.push_back({problem, {variant}});
    } else {
      found->second.push_back(variant);
    }
  }
}

/// Returns whether the problem concerns all variants, or its text names the only one.
bool names_its_variants(const SharedProblem& problem, std::size_t num_variants) {
  const auto& [what, variants] = problem;
  return variants.size() == num_variants ||
         (variants.size() == 1 && what.line().find(variants.front()) != std::string::npos);
}

/// Throws the problems. A problem that does not concern all variants names those that it concerns.
[[noreturn]] void refuse(const std::vector<SharedProblem>& shared, std::size_t num_variants) {
  std::vector<Problem> problems;
  for (const SharedProblem& problem : shared) {
    problems.push_back(problem.first);
    if (names_its_variants(problem, num_variants)) continue;
    problems.back().text += fmt::format(" (for {})", joined(problem.second));
  }
  throw ConfigError(std::move(problems));
}

void require_variant(const std::string& name) {
  if (requested_format(name) == nullptr) return;
  throw ConfigError("variant", fmt::format("must be a list of variants or one format of another "
                                           "program, got the format '{}' in a list",
                                           name));
}

}  // namespace

std::vector<std::string> names_in_list(std::string_view text) {
  std::vector<std::string> names = split_list(text);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    throw ConfigError("variant", fmt::format("must be distinct names, got '{}' twice", *name));
  }
  return names;
}

PointOptions options_of(PointOptions options, std::string_view variant) {
  options.variant = variant;
  return options;
}

std::vector<RatedFilter> requested_filters(const PointOptions& options) {
  const std::vector<std::string> names = names_in_list(options.variant);
  ProblemCollector unknown;
  for (const std::string& name : names) unknown.collect([&] { require_variant(name); });
  unknown.throw_if_any();
  std::vector<RatedFilter> filters;
  std::vector<SharedProblem> problems;
  for (const std::string& name : names) {
    try {
      filters.push_back(requested_filter(options_of(options, name)));
    } catch (const ConfigError& error) {
      add_problems(error, name, problems);
    }
  }
  if (!problems.empty()) refuse(problems, names.size());
  return filters;
}

}  // namespace bloometry
