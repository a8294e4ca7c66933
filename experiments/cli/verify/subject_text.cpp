#include <cmath>
#include <fmt/core.h>
#include <ostream>

#include "core/contract/params.hpp"
#include "core/statistics/total_positives_test.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/verify/subject_output.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/verdict/value_text.hpp"

namespace bloometry {
namespace {

using Outcome = LoadVerdict::Outcome;

/// Returns the deviation that the test of a load would have detected with its planned queries.
std::string detected_text(const SubjectReport& report, const LoadVerdict& load) {
  const Claim claim = at_load(report.claim, load.num_keys);
  const auto [below, above] =
      statistics::TotalPositivesTest(claim.law.rates, load.plan.num_filters, load.plan.num_queries)
          .detected(load.false_alarm, report.options.settings.goal.miss);
  if (std::isinf(above)) return "too few queries to find a deviation";
  return fmt::format("would detect {} times{} the claimed rate", rounded(above, 3),
                     below > 0 ? fmt::format(" or {} times", rounded(below, 3)) : "");
}

/// Returns the number of keys as a multiple of the claimed number of keys, such as 2 or 0.25.
std::string load_text(const Claim& claim, const LoadVerdict& load) {
  return rounded(static_cast<double>(load.num_keys) / static_cast<double>(claim.num_keys), 3);
}

/// Returns the size of a block, or the parameters of a table, which include the width of the
/// fingerprints.
std::string parts_text(const Claim& claim) {
  if (!claim.is_table) {
    return claim.has_blocks() ? fmt::format(", blocks of {}", claim.block_cells) : "";
  }
  std::string text;
  for (const auto& [name, value] : claim.params) {
    text.append(fmt::format(", {} = {}", name, to_string(value)));
  }
  return text;
}

std::string rate_text(const LoadVerdict& load) {
  if (load.num_false_positives == 0) return "none seen";
  return rounded(
      static_cast<double>(load.num_false_positives) / static_cast<double>(load.num_queries), 4);
}

void print_false_positives(const SubjectReport& report, std::ostream& out) {
  TextTable table({{"load"},
                   {"keys"},
                   {"filters"},
                   {"absent keys"},
                   {"false positives"},
                   {"expected"},
                   {"rate"},
                   {"expected"},
                   {"p at most"},
                   {"verdict", true}});
  for (const LoadVerdict& load : report.verdict.loads) {
    const bool has_false_positives = load.num_queries > 0;
    table.add({load_text(report.claim, load), grouped(load.num_keys), grouped(load.num_filters),
               grouped(load.num_queries),
               has_false_positives ? grouped(load.num_false_positives) : "-",
               has_false_positives ? expected_text(load.expected_false_positives) : "-",
               has_false_positives ? rate_text(load) : "-", rounded(load.expected_rate, 4),
               load.p_value ? p_value_text(*load.p_value) : "-", outcome_text(report, load)});
  }
  table.print(out);
}

/// Returns the mean fill, rounded to a tenth of the standard deviation of the mean, so that a
/// difference is visible.
std::string fill_text(const LoadVerdict& load, double mean) {
  return to_spread(mean, load.ones_stddev / std::sqrt(static_cast<double>(load.num_fills)));
}

void print_fills(const SubjectReport& report, std::ostream& out) {
  if (!report.verdict.reports_fill) return;
  TextTable table({{"load"},
                   {"filters"},
                   {"mean set cells"},
                   {"expected"},
                   {"sd per filter"},
                   {"p at most"},
                   {"verdict", true}});
  for (const LoadVerdict& load : report.verdict.loads) {
    if (load.num_fills == 0) continue;
    table.add({load_text(report.claim, load), grouped(load.num_fills),
               fill_text(load, load.mean_ones), fill_text(load, load.expected_ones),
               rounded(load.ones_stddev, 3), p_value_text(*load.fill_p_value),
               load.fill_rejected ? "REJECTED" : "no deviation found"});
  }
  if (!table.empty()) table.print(out);
}

}  // namespace

std::string headline(const SubjectVerdict& verdict) {
  if (!verdict.accepted()) return "REJECTED";
  return verdict.undecided ? "UNDECIDED" : "ACCEPTED";
}

std::string claim_text(const Claim& claim) {
  return fmt::format(
      "{}, {}n = {}, m = {}, k = {}{}", claim.variant,
      claim.is_table ? "" : fmt::format("probe model {}, ", static_cast<char>(claim.model)),
      grouped(claim.num_keys), grouped(claim.num_cells), claim.num_hashes, parts_text(claim));
}

std::string outcome_text(const SubjectReport& report, const LoadVerdict& load) {
  if (!load.left_out.empty()) return "left out: " + load.left_out;
  const std::string deviation = percent(report.options.settings.goal.deviation);
  switch (load.outcome) {
    case Outcome::kRejected:
      return "REJECTED";
    case Outcome::kAccepted:
      return report.options.settings.sequential
                 ? fmt::format("accepted: a deviation of {} is excluded", deviation)
                 : "accepted: " + detected_text(report, load);
    case Outcome::kLimited:
      return "no deviation found: " + detected_text(report, load);
    case Outcome::kOpen:
      return fmt::format("UNDECIDED: a deviation of {} is not excluded", deviation);
    case Outcome::kNotQueried:
      break;
  }
  return load.num_queries == 0 ? "not queried" : "not finished";
}

void print_subject_text(const SubjectReport& report, std::ostream& out) {
  const FittedLines fitted(out);
  const auto& [options, claim, verdict] = report;
  out << headline(verdict) << ": " << printable(options.command, kMaxMessage) << '\n'
      << "  claim            " << claim_text(claim) << '\n'
      << "  keys             " << options.keys.front() << ", " << options.encoding << '\n'
      << "  seed             " << options.seed << '\n'
      << "  queried          " << plural(verdict.num_filters, "filter") << ", "
      << plural(verdict.num_queries, "absent key") << ", "
      << plural(verdict.num_member_queries, "member") << ", " << plural(verdict.num_repeats, "key")
      << " again\n"
      << "  false negatives  " << grouped(verdict.num_false_negatives) << '\n'
      << "  changed answers  " << grouped(verdict.num_changed_answers) << '\n'
      << "  false alarm      " << rounded(options.settings.goal.false_alarm, 4)
      << ": the maximum probability that a correct subject is rejected\n";
  if (verdict.ignores_fill) {
    out << "  fill             not tested: verify does not have a test of the fill for this "
           "claim\n";
  }
  if (verdict.num_queries > 0) {
    out << '\n';
    print_false_positives(report, out);
  }
  if (verdict.reports_fill) out << '\n';
  print_fills(report, out);
  if (verdict.accepted()) return;
  out << '\n';
  for (const std::string& reason : verdict.reasons) out << "Why: " << reason << '\n';
  if (!verdict.hint.empty()) out << "Hint: " << verdict.hint << '\n';
}

}  // namespace bloometry
