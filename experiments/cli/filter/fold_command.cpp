#include <unistd.h>

#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/filter_files/fold_search.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr const char* kFoldableHint =
    "`bloometry filter build --foldable` chooses a size with many divisors";

/// Returns what is known of FilterFacts::rate(), in brackets, or nothing if the rate is exact.
std::string rate_label(const FilterFacts& facts) {
  if (!facts.rate_given_state) return " if the probes were independent";
  const bool is_exact = !facts.given_state || facts.given_state->kind == RateKind::kExact;
  return is_exact ? "" : fmt::format(" ({})", label_of(*facts.given_state));
}

void print_side(const char* when, const FilterFacts& facts) {
  std::cout << when << ": " << size_text(facts) << ", rate " << rounded(facts.rate(), 6)
            << rate_label(facts) << '\n';
}

FoldedFilter folded(const FileFilter& filter, const FilterFoldOptions& options) {
  if (options.divisor) return {*options.divisor, filter.fold(*options.divisor)};
  return fold_to_rate(filter, *options.rate, [](std::uint64_t) {});
}

/// Returns the divisors that the filter accepts.
std::vector<std::uint64_t> divisors_of(const FileFilter& filter,
                                       const std::filesystem::path& path) {
  try {
    return fold_divisors(filter);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format(
        "FILTER must be a filter that can be folded ({}, except with some probes), got {}: {}",
        joined(variants_that_can(Operation::kFold)), path.string(), error.what()));
  }
}

}  // namespace

int filter_fold_command(const FilterFoldOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  if (options.divisor.has_value() == options.rate.has_value()) {
    throw ConfigError(fmt::format("exactly one of --divisor and -p must be given, got {}",
                                  options.rate ? "both" : "none"));
  }
  if (options.rate && !(*options.rate > 0 && *options.rate < 1)) {
    throw ConfigError("-p must be a number in (0, 1) like 0.01, got " + rounded(*options.rate, 10));
  }
  const FilterOutput output(options.out);
  output.require_other_than({&options.filter.path, 1}, options.filter.secret);
  const std::unique_ptr<FileFilter> filter = open_filter(options.filter);
  const std::vector<std::uint64_t> divisors = divisors_of(*filter, options.filter.path);
  if (options.divisor && filter->foldable_size() % *options.divisor != 0) {
    throw ConfigError(fmt::format("--divisor must be a divisor of the filter ({}), got {}; {}",
                                  divisors_text(divisors), *options.divisor, kFoldableHint));
  }
  const FilterFacts before = filter->facts();
  print_side("before", before);
  const FoldedFilter smaller = folded(*filter, options);
  if (!smaller.filter) {
    std::cout << "every smaller filter has a rate above " << rounded(*options.rate, 10)
              << " (divisors: " << divisors_text(divisors) << "); the file was not written; "
              << kFoldableHint << '\n';
    return kAnswerIsNo;
  }
  output.write(*smaller.filter);
  FilterFacts after = smaller.filter->facts();
  print_side("after", after);
  if (options.divisor) {
    if (!after.notes.capacity && before.notes.capacity) {
      after.notes.capacity = std::max<std::uint64_t>(1, *before.notes.capacity / *options.divisor);
    }
    warn_of_held_keys(after, after.notes.num_inserted);
  }
  std::cout << options.out.string() << ": divided by " << grouped(smaller.divisor) << '\n';
  return kDone;
}

}  // namespace bloometry
