#include "experiments/cli/filter/check_output.hpp"

#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "core/rates/cardinality.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

constexpr int kCheckDigits = 4;
constexpr std::uint64_t kMostCount = std::numeric_limits<std::uint64_t>::max();

const char* name_of(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::kSound:
      return "sound";
    case CheckVerdict::kOverfull:
      return "overfull";
    case CheckVerdict::kHashSuspect:
      return "hash suspect";
    case CheckVerdict::kUndecided:
      break;
  }
  return "undecided";
}

double log10_evidence(const FilterCheck& check) {
  return check.log_evidence / std::numbers::ln10;
}

std::string undecided_text(const FilterCheck& check) {
  if (!check.num_needed) {
    return fmt::format("no number of queries shows twice the rate {}",
                       shortest_text(check.allowed_rate));
  }
  return fmt::format(
      "{} of absent keys at this rate are needed to find twice the rate, and {} are counted",
      *check.num_needed == 1 ? "1 query" : grouped(*check.num_needed) + " queries",
      grouped(clipped_count(check.num_useful, 0, kMostCount)));
}

std::string overfull_text(const FilterFacts& facts) {
  if (facts.generations) return "a generation has more inserts than it is sized for";
  const double num_keys = *facts.estimated_num_keys;
  return fmt::format("{} are in a filter that is sized for {}",
                     std::isfinite(num_keys)
                         ? "about " + plural(clipped_count(num_keys, 0, kMostCount), "key")
                         : "too many keys",
                     grouped(*largest_capacity(facts)));
}

/// Returns the reason for the verdict.
std::string reason_of(const FilterCheck& check, const FilterFacts& facts) {
  switch (check.verdict) {
    case CheckVerdict::kSound:
      return "the counters show no more false positives than the fill explains";
    case CheckVerdict::kOverfull:
      return overfull_text(facts);
    case CheckVerdict::kHashSuspect:
      return "more false positives than the fill explains: digests are not uniform, keys are "
             "counted repeatedly, or the counters are wrong";
    case CheckVerdict::kUndecided:
      break;
  }
  return undecided_text(check);
}

std::string evidence_text(const FilterCheck& check, const CheckHistory& history) {
  return fmt::format("10^{} after {}; {} 10^{}",
                     std::isfinite(check.log_evidence) ? rounded(log10_evidence(check), 3) : "inf",
                     plural(history.sums.num_checks, "check"),
                     check.is_raised ? "the alarm is raised, which needs" : "an alarm needs",
                     rounded(-std::log10(history.false_alarm), 3));
}

void add_gauge(std::string& text, std::string_view name, std::string_view help,
               std::string_view label, double value) {
  text += fmt::format(
      "# HELP bloometry_filter_{0} {1}\n# TYPE bloometry_filter_{0} gauge\n"
      "bloometry_filter_{0}{{file=\"{2}\"}} {3}\n",
      name, help, label, std::isinf(value) ? "+Inf" : shortest_text(value));
}

/// Returns the value of a label: the format escapes backslashes, quotes and line feeds.
std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text;
}

}  // namespace

std::string text_of(const FilterCheck& check, const FilterFacts& facts,
                    const QueryCounters& counters, const CheckHistory& history) {
  TextTable table({{"", true}, {"", true}});
  table.add({"verdict", name_of(check.verdict)});
  table.add({"because", reason_of(check, facts)});
  table.add({"measured rate",
             fmt::format("{}, 95 % interval [{}, {}]", rounded(check.measured_rate, kCheckDigits),
                         rounded(check.interval.lower, kCheckDigits),
                         rounded(check.interval.upper, kCheckDigits))});
  table.add(
      {"counted",
       fmt::format(
           "{} of {} of absent keys", plural(counters.num_false(), "false positive"),
           counters.num_absent() == 1 ? "1 query" : grouped(counters.num_absent()) + " queries")});
  table.add(
      {"rate of these cells, " + label_of(*facts.given_state), rounded(check.rate, kCheckDigits)});
  if (check.allowed_rate > check.rate) {
    table.add({"largest rate since the last check", rounded(check.allowed_rate, kCheckDigits)});
  }
  if (facts.notes.target_false_positive_rate) {
    table.add({"target rate", rounded(*facts.notes.target_false_positive_rate, kCheckDigits)});
  }
  const std::optional<std::uint64_t> capacity = largest_capacity(facts);
  if (capacity) table.add({"capacity", plural(*capacity, "key")});
  table.add({"fill", rounded(facts.fill_ratio(), kCheckDigits)});
  table.add({"evidence of too many", evidence_text(check, history)});
  std::ostringstream text;
  table.print(text);
  return text.str();
}

nlohmann::ordered_json to_json(const FilterCheck& check, const FilterFacts& facts,
                               const QueryCounters& counters, const CheckHistory& history) {
  return {{"verdict", name_of(check.verdict)},
          {"reason", reason_of(check, facts)},
          {"is_alarm", check.is_alarm()},
          {"num_false_positives", counters.num_false()},
          {"num_absent_queries", counters.num_absent()},
          {"measured_rate", check.measured_rate},
          {"interval", {check.interval.lower, check.interval.upper}},
          {"given_state", to_json(*facts.given_state)},
          {"largest_rate", check.allowed_rate},
          {"target_false_positive_rate", or_null(facts.notes.target_false_positive_rate)},
          {"capacity", or_null(largest_capacity(facts))},
          {"estimated_num_keys", finite_or_null(facts.estimated_num_keys)},
          {"fill_ratio", facts.fill_ratio()},
          {"num_checks", history.sums.num_checks},
          {"false_alarm", history.false_alarm},
          {"log10_evidence", finite_or_null(log10_evidence(check))},
          {"is_hash_suspect", check.is_raised},
          {"num_useful_queries", check.num_useful},
          {"num_queries_needed", or_null(check.num_needed)}};
}

std::string prometheus_text(const FilterCheck& check, const FilterFacts& facts,
                            std::string_view file) {
  const std::string label = escaped(file);
  std::string text;
  const auto add = [&](std::string_view name, std::string_view help, double value) {
    add_gauge(text, name, help, label, value);
  };
  add("measured_rate", "False positives per query of an absent key.", check.measured_rate);
  add("measured_rate_lower", "Lower end of the 95 % interval of the rate.", check.interval.lower);
  add("measured_rate_upper", "Upper end of the 95 % interval of the rate.", check.interval.upper);
  add("expected_rate", "Rate that the fill predicts.", check.rate);
  if (facts.notes.target_false_positive_rate) {
    add("target_rate", "Rate for which the filter is sized.",
        *facts.notes.target_false_positive_rate);
  }
  add("fill_ratio", "Share of set cells.", facts.fill_ratio());
  add("alarm", "1 if the filter is overfull or its hash is suspect.", check.is_alarm() ? 1 : 0);
  add("evidence_log10", "Logarithm of the evidence of too many false positives.",
      log10_evidence(check));
  return text;
}

}  // namespace bloometry
