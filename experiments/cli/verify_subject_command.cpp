#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/total_hits_test.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/progress_line.hpp"
#include "experiments/cli/resolved_point.hpp"
#include "experiments/cli/text_table.hpp"
#include "experiments/plan/printable.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/judge_subject.hpp"

namespace bloometry {
namespace {

/// Trials of one seed are 2^16 (workload/item_number.hpp); a sequential test may take four times
/// the filters of the plan.
constexpr std::uint64_t kMaxFilters = 16'000;
constexpr std::uint64_t kMaxQueriesPerFilter = 1'000'000'000'000;

void require_range(const char* option, const std::optional<std::uint64_t>& value,
                   std::uint64_t most) {
  if (!value || (*value >= 1 && *value <= most)) return;
  throw ConfigError(std::string(option) + " must be in [1, " + std::to_string(most) + "], got " +
                    std::to_string(*value));
}

Claim claim_of(const PointOptions& options) {
  const VariantInfo& variant = find_variant(options.variant);
  if (grows(variant)) return make_claim(variant.name, {}, ProbeModel::kPartitioned, 0);  // refuses
  const ResolvedPoint point = resolve_point(options);
  return make_claim(variant.name, point.geometry, point.model, point.num_keys);
}

LineProcess::Settings process_settings(const VerifySubjectOptions& options) {
  if (options.command.empty()) throw ConfigError("--subject must be a command, got nothing");
  if (!(options.timeout_s > 0 && options.timeout_s <= 1e6)) {
    throw ConfigError("--timeout must be in (0, 1e6] seconds, got " +
                      rounded(options.timeout_s, 6));
  }
  return {.command = options.command,
          .timeout = std::chrono::milliseconds(
              static_cast<std::int64_t>(std::max(1.0, std::round(1000 * options.timeout_s)))),
          .stop = &InterruptWatch::flag()};
}

SubjectVerdict judge_with_progress(const VerifySubjectOptions& options, const Claim& claim) {
  ProgressLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  const auto started = std::chrono::steady_clock::now();
  Subject subject(process_settings(options),
                  SubjectKeys(parse_key_form(options.keys), options.seed));
  return judge_subject(subject, claim, options.settings, [&](const SubjectProgress& progress) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    if (elapsed.count() < 1) return;  // short work needs no line
    line.show({.num_units = progress.num_filters,
               .num_finished = progress.num_filters_done,
               .num_operations = progress.num_keys_sent,
               .num_operations_planned = progress.num_keys_planned,
               .elapsed_s = elapsed.count()});
  });
}

/// What the planned test would have found, had it been there.
statistics::TotalHitsTest::Deviation detected(const VerifySubjectOptions& options,
                                              const Claim& claim, const MeasurementPlan& plan) {
  return statistics::TotalHitsTest(claim.rates, plan.num_filters, plan.num_queries)
      .detected(options.settings.goal.false_alarm, options.settings.goal.miss);
}

double observed_rate(const SubjectVerdict& verdict) {
  return static_cast<double>(verdict.num_hits) /
         static_cast<double>(std::max<std::uint64_t>(1, verdict.num_queries));
}

// --- For people.

std::string claim_text(const Claim& claim) {
  return std::string(claim.variant) + ", probe model " + static_cast<char>(claim.model) +
         ", n = " + grouped(claim.num_keys) + ", m = " + grouped(claim.num_cells) +
         ", k = " + std::to_string(claim.num_hashes);
}

std::string sensitivity_text(const VerifySubjectOptions& options, const Claim& claim,
                             const SubjectVerdict& verdict) {
  const std::string surely =
      " is found with probability " + rounded(1 - options.settings.goal.miss, 6);
  if (options.settings.sequential) {
    return "a rate off by " + rounded(100 * options.settings.goal.deviation, 6) +
           " % is accepted with probability at most " + rounded(options.settings.goal.miss, 6);
  }
  const auto [below, above] = detected(options, claim, verdict.plan);
  if (std::isinf(above)) return "none" + surely + ": too few filters or queries";
  std::string text = "a rate " + rounded(above, 4) + " times the expected one or more";
  if (below > 0) text += ", or " + rounded(below, 4) + " times or less,";
  return text + surely;
}

std::string headline(const SubjectVerdict& verdict) {
  if (!verdict.accepted()) return "REJECTED";
  return verdict.undecided ? "UNDECIDED" : "ACCEPTED";
}

void print_text(const VerifySubjectOptions& options, const Claim& claim,
                const SubjectVerdict& verdict) {
  const double expected = claim.expected_rate * static_cast<double>(verdict.num_queries);
  std::cout << headline(verdict) << ": " << printable(options.command, kMaxMessage) << '\n'
            << "  claim            " << claim_text(claim) << '\n'
            << "  asked            " << grouped(verdict.num_filters) << " filters, "
            << grouped(verdict.num_queries) << " absent keys, "
            << grouped(verdict.num_member_queries) << " members\n"
            << "  hits             " << grouped(verdict.num_hits) << ", expected "
            << rounded(expected, 6) << "; rate " << rounded(observed_rate(verdict), 5)
            << ", expected " << rounded(claim.expected_rate, 5) << '\n'
            << "  spread           the rate differs by "
            << rounded(100 * std::sqrt(claim.rates.variance()) / claim.expected_rate, 3)
            << " % from filter to filter (standard deviation)\n"
            << "  false negatives  " << grouped(verdict.num_false_negatives) << '\n'
            << "  p-value          "
            << (verdict.p_value ? "at most " + rounded(*verdict.p_value, 3)
                                : "the hits did not decide")
            << '\n'
            << "  false alarm      " << rounded(options.settings.goal.false_alarm, 6)
            << ": the most with which an honest subject is rejected\n"
            << "  would be found   " << sensitivity_text(options, claim, verdict) << '\n';
  if (!verdict.decided_by.empty()) std::cout << "  ended by         " << verdict.decided_by << '\n';
  if (!verdict.accepted()) std::cout << "Why: " << verdict.why << '\n';
}

// --- For programs.

nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

void print_json(const VerifySubjectOptions& options, const Claim& claim,
                const SubjectVerdict& verdict) {
  const auto interval = statistics::clopper_pearson(
      verdict.num_hits, std::max<std::uint64_t>(1, verdict.num_queries), 0.05);
  nlohmann::ordered_json json = {
      {"accepted", verdict.accepted()},
      {"undecided", verdict.undecided},
      {"subject", options.command},
      {"claim",
       {{"variant", claim.variant},
        {"probe_model", std::string(1, static_cast<char>(claim.model))},
        {"num_keys", claim.num_keys},
        {"num_cells", claim.num_cells},
        {"num_hashes", claim.num_hashes},
        {"expected_false_positive_rate", claim.expected_rate},
        {"expected_rate_stddev", std::sqrt(claim.rates.variance())}}},
      {"sequential", options.settings.sequential},
      {"num_filters", verdict.num_filters},
      {"num_queries", verdict.num_queries},
      {"num_false_positives", verdict.num_hits},
      {"expected_false_positives", claim.expected_rate * static_cast<double>(verdict.num_queries)},
      {"observed_false_positive_rate", observed_rate(verdict)},
      {"binomial_interval", {interval.lower, interval.upper}},
      {"num_member_queries", verdict.num_member_queries},
      {"num_false_negatives", verdict.num_false_negatives},
      {"num_refused_erases", verdict.num_refused_erases},
      {"num_wrongful_erases", verdict.num_wrongful_erases},
      {"p_value", verdict.p_value ? nlohmann::ordered_json(*verdict.p_value)
                                  : nlohmann::ordered_json(nullptr)},
      {"false_alarm", options.settings.goal.false_alarm}};
  if (options.settings.sequential) {
    json["ended_by"] = verdict.decided_by;
  } else {
    const auto [below, above] = detected(options, claim, verdict.plan);
    json["detected_factor_below"] = below;
    json["detected_factor_above"] = finite_or_null(above);
  }
  json["why"] = verdict.why;
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

/// NaN passes the ranges of the command line.
void require_share(const char* option, double value, double most) {
  if (value > 0 && value <= most) return;
  throw ConfigError(std::string(option) + " must be in (0, " + rounded(most, 6) + "], got " +
                    rounded(value, 6));
}

}  // namespace

int verify_subject_command(const VerifySubjectOptions& options) {
  constexpr const char* kNothingVerified = "the subject was ended and nothing is verified";
  InterruptWatch watch(kNothingVerified, InterruptWatch::kGrace);
  require_range("--filters", options.settings.num_filters, kMaxFilters);
  require_range("--queries", options.settings.num_queries, kMaxQueriesPerFilter);
  require_range("--member-queries", options.settings.max_member_queries, kMaxQueriesPerFilter);
  const MeasurementGoal& goal = options.settings.goal;
  require_share("--false-alarm", goal.false_alarm, 0.5);
  require_share("--deviation", goal.deviation, 1e6);
  const Claim claim = claim_of(options.claim);
  try {
    const SubjectVerdict verdict = judge_with_progress(options, claim);
    if (options.json) {
      print_json(options, claim, verdict);
    } else {
      print_text(options, claim, verdict);
    }
    return verdict.accepted() ? kDone : kAnswerIsNo;
  } catch (const SubjectInterrupted&) {
    return watch.say_interrupted(kNothingVerified);
  }
}

}  // namespace bloometry
