#include "experiments/cli/filter/filter_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/text/quantity.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

constexpr double kPowerAtDouble = 0.99;

constexpr const char* kCounters = "negatives=N,positives=P,true=T";

[[noreturn]] void refuse_counters(const std::string& what) {
  throw ConfigError(fmt::format("--counters must be {}, {}", kCounters, what));
}

void require_possible(const QueryCounters& counters) {
  if (counters.true_positives > counters.positives) {
    throw ConfigError(fmt::format("--counters: true must be at most positives = {}, got {}",
                                  counters.positives, counters.true_positives));
  }
  if (counters.num_absent() == 0) {
    throw ConfigError(
        "--counters must have a query of an absent key, got negatives=0 and "
        "positives equal to true");
  }
}

std::uint64_t num_rotations(const FilterFacts& facts) {
  return facts.generations ? facts.generations->num_rotations : 0;
}

double known_rate(const FilterFacts& facts) {
  if (facts.rate_given_state) return std::clamp(*facts.rate_given_state, 0.0, 1.0);
  throw ConfigError(
      fmt::format("FILTER must be a filter whose rate is known, got {}: a formula or a model for "
                  "the rate of its cells is not known",
                  facts.format));
}

bool is_overfull_now(const FilterFacts& facts) {
  return is_overfull(facts, facts.num_keys);
}

/// Returns the number of overfull generations of which the filter has no cells any more.
std::uint64_t num_overfull_before(const FilterFacts& facts) {
  if (!facts.generations) return 0;
  const std::uint64_t num_ever = facts.generations->num_overfull;
  return num_ever - std::min(num_overfull_generations(facts), num_ever);
}

/// Refuses a filter that has cleared an overfull generation since the last check.
void require_known_peak(const FilterFacts& facts, const CheckHistory& history) {
  if (history.filter.empty() || num_overfull_before(facts) == history.num_overfull) return;
  throw ConfigError(
      "FILTER must not have cleared an overfull generation since the last check, because its "
      "highest rate since then is unknown; --reset starts anew");
}

/// Returns the largest rate since the last check. Without erases, the rate only grows. A filter
/// that has lost keys since then had at most the rate for which it is sized, or that of its ends.
double allowed_rate(const FilterFacts& facts, bool is_erasable, const CheckHistory& history) {
  const double rate = std::max(known_rate(facts), history.rate);
  const bool has_forgotten = num_rotations(facts) != history.num_rotations;
  if (!is_erasable && !has_forgotten) return rate;
  require_known_peak(facts, history);
  const std::optional<double>& target = facts.notes.target_false_positive_rate;
  if (target) return std::max(rate, *target);
  if (!has_forgotten) return rate;
  throw ConfigError(
      "FILTER must not have closed a generation since the last check, or its file must contain a "
      "target rate; its highest rate since then is unknown");
}

void require_history_of(const FilterFacts& facts, bool is_erasable, const CheckHistory& history) {
  if (history.filter.empty()) return;
  if (history.filter != filter_identity(facts)) {
    throw ConfigError(
        "--state must be a state of FILTER, got that of a filter with other "
        "parameters; --reset starts it anew");
  }
  const bool can_lose_keys = is_erasable || facts.generations;
  if (!can_lose_keys && facts.state.num_ones < history.num_ones) {
    throw ConfigError(fmt::format(
        "--state must be a state of FILTER, got that of a filter with {} set cells, more than its "
        "{}; --reset starts it anew after FILTER was cleared or replaced",
        grouped(history.num_ones), grouped(facts.state.num_ones)));
  }
}

/// Returns the number of queries that this check needs to find a doubled rate. The evidence of
/// repeated keys is that of one check, and has the weight of the check.
std::optional<std::uint64_t> num_needed(double rate, std::optional<std::uint64_t> max_repeats,
                                        const CheckHistory& history) {
  const double check = std::max(1.0, static_cast<double>(history.sums.num_checks));
  const double share = max_repeats ? 2 / (check * (check + 1)) : 1;
  return statistics::queries_to_detect_double(rate, history.false_alarm * share, kPowerAtDouble,
                                              max_repeats);
}

CheckVerdict verdict_of(const FilterFacts& facts, const FilterCheck& check) {
  if (is_overfull_now(facts)) return CheckVerdict::kOverfull;
  if (check.is_raised) return CheckVerdict::kHashSuspect;
  const bool is_enough =
      check.num_needed && check.num_useful >= static_cast<double>(*check.num_needed);
  return is_enough ? CheckVerdict::kSound : CheckVerdict::kUndecided;
}

/// Adds the check to the evidence.
void add_evidence(const QueryCounters& counters, std::optional<std::uint64_t> max_repeats,
                  FilterCheck& check, CheckHistory& history) {
  statistics::ExcessEvidence evidence(history.sums);
  evidence.observe({.positives = counters.num_false(),
                    .num_queries = counters.num_absent(),
                    .max_repeats = max_repeats},
                   check.allowed_rate);
  history.sums = evidence.sums();
  check.log_evidence = evidence.log_evidence();
  history.is_raised |= check.log_evidence >= -std::log(history.false_alarm);
  check.is_raised = history.is_raised;
}

/// Counts the queries that the test can use: all queries of new keys, and repeated keys of this
/// check.
void count_useful(std::uint64_t num_absent, bool is_repeated, FilterCheck& check,
                  CheckHistory& history) {
  const auto num_queries = static_cast<double>(num_absent);
  if (is_repeated) {
    check.num_useful = num_queries;
    return;
  }
  history.expected_positives += num_queries * check.allowed_rate;
  const double rate = check.allowed_rate;
  check.num_useful = rate > 0 ? std::round(history.expected_positives / rate) : num_queries;
}

}  // namespace

QueryCounters parse_counters(const std::vector<std::string>& items) {
  constexpr std::array<std::string_view, 3> kNames = {"negatives", "positives", "true"};
  std::array<std::optional<std::uint64_t>, 3> counts{};
  for (const std::string& item : items) {
    const std::size_t end = item.find('=');
    const auto name = std::ranges::find(kNames, std::string_view(item).substr(0, end));
    if (end == std::string::npos || name == kNames.end()) {
      refuse_counters(fmt::format("got '{}'", printable(item, kMaxShownValue)));
    }
    auto& count = counts[static_cast<std::size_t>(name - kNames.begin())];
    if (count) refuse_counters(fmt::format("got {} twice", *name));
    count = parse_count(fmt::format("--counters: {}", *name), item.substr(end + 1));
  }
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (!counts[i]) refuse_counters(fmt::format("{} is missing", kNames[i]));
  }
  const QueryCounters counters{*counts[0], *counts[1], *counts[2]};
  require_possible(counters);
  return counters;
}

double parse_false_alarm(std::string_view option, const std::string& text) {
  constexpr std::string_view kAllowed = "a probability in (0, 1)";
  const double value = parse_real(option, kAllowed, text);
  if (value > 0 && value < 1) return value;
  throw ConfigError(fmt::format("{} must be {}, got '{}'", option, kAllowed, text));
}

std::string filter_identity(const FilterFacts& facts) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", facts.format, facts.variant, facts.probes,
                     facts.hash, facts.seed.value_or(0), facts.key_id.value_or(0),
                     params_text(facts.params), facts.grows ? 0 : facts.num_cells, facts.cell_bits,
                     facts.grows ? 0 : facts.num_hashes);
}

FilterCheck check_filter(const FilterFacts& facts, bool is_erasable, const QueryCounters& counters,
                         std::optional<std::uint64_t> max_repeats, CheckHistory& history) {
  require_history_of(facts, is_erasable, history);
  FilterCheck check{.rate = known_rate(facts),
                    .allowed_rate = allowed_rate(facts, is_erasable, history)};
  check.measured_rate =
      static_cast<double>(counters.num_false()) / static_cast<double>(counters.num_absent());
  check.interval = statistics::clopper_pearson(counters.num_false(), counters.num_absent(), 0.05);
  // The highest rate of an overfull generation since the last check is unknown.
  if (facts.generations && is_overfull_now(facts)) {
    check.is_raised = history.is_raised;
    check.log_evidence = statistics::ExcessEvidence(history.sums).log_evidence();
  } else {
    add_evidence(counters, max_repeats, check, history);
    count_useful(counters.num_absent(), max_repeats.has_value(), check, history);
  }
  check.num_needed = num_needed(check.allowed_rate, max_repeats, history);
  check.verdict = verdict_of(facts, check);
  history.filter = filter_identity(facts);
  history.rate = check.rate;
  history.num_ones = facts.state.num_ones;
  history.num_rotations = num_rotations(facts);
  history.num_overfull = num_overfull_before(facts);
  return check;
}

}  // namespace bloometry
