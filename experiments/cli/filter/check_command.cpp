#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/check_output.hpp"
#include "experiments/cli/filter/check_state.hpp"
#include "experiments/cli/filter/filter_check.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

void require_state_option(const FilterCheckOptions& options) {
  if (options.state || (!options.is_reset && !options.wait_s)) return;
  throw ConfigError(fmt::format("{} requires --state", options.is_reset ? "--reset" : "--wait"));
}

/// Returns the history of earlier checks, which is empty without --state and with --reset.
CheckHistory earlier_checks(const FilterCheckOptions& options,
                            const std::optional<CheckStateFile>& state) {
  CheckHistory history;
  if (state && options.is_reset) state->require_state();
  if (state && !options.is_reset) history = state->read();
  const bool is_begun = history.sums.num_checks > 0;
  if (is_begun && options.false_alarm && *options.false_alarm != history.false_alarm) {
    throw ConfigError(
        fmt::format("--false-alarm must be {} as in --state, got {}; --reset starts it anew",
                    shortest_text(history.false_alarm), shortest_text(*options.false_alarm)));
  }
  if (options.false_alarm) history.false_alarm = *options.false_alarm;
  return history;
}

bool is_erasable(const FilterFacts& facts) {
  const auto variants = variants_that_can(Operation::kErase);
  return std::ranges::find(variants, facts.variant) != variants.end();
}

void print(const FilterCheckOptions& options, const FilterCheck& check, const FilterFacts& facts,
           const CheckHistory& history) {
  if (options.json) {
    std::cout << to_json(check, facts, options.counters, history).dump(2) << '\n';
  } else if (options.prometheus) {
    std::cout << prometheus_text(check, facts, options.filter.path.string());
  } else {
    const FittedLines fitted(std::cout);
    std::cout << text_of(check, facts, options.counters, history);
  }
}

}  // namespace

int filter_check_command(const FilterCheckOptions& options) {
  const InterruptWatch watch("files were not changed");
  require_state_option(options);
  require_readable(options.filter.path);
  std::optional<CheckStateFile> state;
  if (options.state) state.emplace(*options.state, options.filter, options.wait_s);
  CheckHistory history = earlier_checks(options, state);
  // The filter is read under the lock, so that its fill does not decrease from check to check.
  const FilterFacts facts = open_filter(options.filter)->facts();
  const FilterCheck check =
      check_filter(facts, is_erasable(facts), options.counters, options.max_repeats, history);
  if (state) state->write(history);
  print(options, check, facts, history);
  return check.is_alarm() ? kAnswerIsNo : kDone;
}

}  // namespace bloometry
