#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/core.h>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "experiments/cli/verify/subject_output.hpp"
#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/judge_subject.hpp"
#include "variants/registry/table_room.hpp"

namespace bloometry {
namespace {

/// Limit of --filters. A seed has 2^16 trials (workload/synthetic_keys.hpp), and a sequential test
/// may use four times the filters of the plan.
constexpr std::uint64_t kMaxFilters = 16'000;
constexpr std::uint64_t kMaxQueriesPerFilter = 1'000'000'000'000;

/// The options of `verify --subject` that determine the size.
constexpr std::array<std::string_view, 3> kSubjectSizeOptions = {"-m", "--num-blocks", "-p"};

void require_range(const char* option, const std::optional<std::uint64_t>& value,
                   std::uint64_t most) {
  if (!value || (*value >= 1 && *value <= most)) return;
  throw ConfigError(fmt::format("{} must be in [1, {}], got {}", option, most, *value));
}

Claim claim_of(const PointOptions& options) {
  require_claimable(options.variant);
  const RatedFilter filter = requested_filter(options, kSubjectSizeOptions);
  const std::uint64_t num_keys = *options.request.num_keys;
  if (!has_room(filter.variant, filter.spec, num_keys)) {
    throw ConfigError(
        "num_keys",
        fmt::format("must be at most the number of cells, {}, got {}",
                    filter.variant.geometry_at(filter.spec, num_keys).num_cells, num_keys));
  }
  return make_claim(filter.variant.name, filter.geometry(), filter.scheme.model, num_keys,
                    filter.variant.resolved_params(filter.spec));
}

LineProcess::Settings process_settings(const VerifySubjectOptions& options) {
  if (options.command.empty()) throw ConfigError("--subject must be a command, got an empty text");
  if (!(options.timeout_s > 0 && options.timeout_s <= 1e6)) {
    throw ConfigError("--timeout must be in (0, 1e6] seconds, got " +
                      rounded(options.timeout_s, 6));
  }
  return {.command = options.command,
          .timeout = std::chrono::milliseconds(
              static_cast<std::int64_t>(std::max(1.0, std::round(1000 * options.timeout_s)))),
          .stop = &InterruptWatch::flag()};
}

/// Shows the progress of a long measurement on standard error. If standard error is not a terminal,
/// the class prints only a few lines.
class SubjectProgressShown {
 public:
  explicit SubjectProgressShown(bool is_terminal)
      : line_(std::cerr, is_terminal), is_terminal_(is_terminal) {}

  void operator()(const SubjectProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < (is_terminal_ ? kOnTerminal : kInLog)) return;
    shown_ = now;
    const std::chrono::duration<double> elapsed = now - started_;
    line_.show({.num_units = progress.num_filters,
                .num_finished = progress.num_filters_done,
                .num_operations = progress.num_keys_sent,
                .num_operations_planned = progress.num_keys_planned,
                .elapsed_s = elapsed.count()});
  }

 private:
  static constexpr std::chrono::milliseconds kOnTerminal{500};
  static constexpr std::chrono::milliseconds kInLog{60'000};

  ProgressLine line_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = started_;
};

SubjectVerdict judge_with_progress(const VerifySubjectOptions& options, const Claim& claim) {
  SubjectProgressShown shown(::isatty(STDERR_FILENO) != 0);
  Subject subject(
      process_settings(options),
      SubjectKeys(options.keys.front(), parse_key_encoding(options.encoding), options.seed));
  SubjectSettings settings = options.settings;
  settings.seed = options.seed;
  const auto show = [&](const SubjectProgress& progress) { shown(progress); };
  return judge_subject(subject, claim, settings,
                       options.quiet ? ShowSubjectProgress() : ShowSubjectProgress(show));
}

/// Judges the subject with each source of keys separately. Each source has an equal share of the
/// false-alarm probability.
SubjectReports judge_sources(const VerifySubjectOptions& options, const Claim& claim) {
  SubjectReports reports;
  for (const std::string& source : options.keys) {
    VerifySubjectOptions one = options;
    one.keys = {source};
    one.settings.goal.false_alarm /= static_cast<double>(options.keys.size());
    const SubjectVerdict verdict = judge_with_progress(one, claim);
    reports.push_back({one, claim, verdict});
    if (!options.json) print_subject_text(reports.back(), std::cout);
  }
  return reports;
}

int print_reports(const VerifySubjectOptions& options, const SubjectReports& reports) {
  if (options.junit) write_subject_junit(options, reports);
  if (options.json) print_subject_json(reports, std::cout);
  const bool is_yes = std::all_of(reports.begin(), reports.end(), [&](const auto& report) {
    return report.verdict.accepted() && (!report.verdict.undecided || options.allow_undecided);
  });
  return is_yes ? kDone : kAnswerIsNo;
}

/// Throws ConfigError for NaN and for a value outside (0, most].
void require_share(const char* option, double value, double most) {
  if (value > 0 && value <= most) return;
  throw ConfigError(
      fmt::format("{} must be in (0, {}], got {}", option, rounded(most, 6), rounded(value, 6)));
}

/// Throws ConfigError if the exercises insert more copies of a key than the claimed table may have.
void require_room_for_copies(const Claim& claim, const Exercises& exercises) {
  if (!exercises.saturation || !find_variant(claim.variant).stores_copies) return;
  throw ConfigError(
      fmt::format("--exercise must be merge or erase with --claim {}, got 'saturation': the table "
                  "has room for a limited number of copies of a key",
                  claim.variant));
}

/// Throws ConfigError if an item of --keys is not a source of keys or occurs twice.
void require_distinct_sources(const std::vector<std::string>& sources) {
  for (auto source = sources.begin(); source != sources.end(); ++source) {
    static_cast<void>(SubjectKeys(*source, KeyEncoding::kHex, 1));
    if (std::find(sources.begin(), source, *source) == source) continue;
    throw ConfigError("keys", fmt::format("must be distinct, got '{}' twice", *source));
  }
}

/// Checks the path of the JUnit report before the test, which may take long.
void require_writable_report(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (path.has_filename() && ::access(folder.c_str(), W_OK | X_OK) == 0) return;
  throw ConfigError(
      fmt::format("--junit must be a file in a folder that can be written, got {}{}", path.string(),
                  path.has_filename() ? fmt::format(": {}", std::strerror(errno)) : ""));
}

/// Returns the claim that the options describe. Throws ConfigError with every problem of the
/// options.
Claim checked_claim(const VerifySubjectOptions& options) {
  const SubjectSettings& settings = options.settings;
  std::optional<Claim> claim;
  ProblemCollector problems;
  const auto check = [&](const auto& require, const auto&... arguments) {
    problems.collect([&] { require(arguments...); });
  };
  check(require_range, "--filters", settings.num_filters, kMaxFilters);
  check(require_range, "--queries", settings.num_queries, kMaxQueriesPerFilter);
  check(require_range, "--member-queries", settings.max_member_queries, kMaxQueriesPerFilter);
  check(require_share, "--false-alarm", settings.goal.false_alarm, 0.5);
  check(require_share, "--deviation", settings.goal.deviation, 1e6);
  check(require_valid_loads, settings.loads);
  problems.collect([&] { static_cast<void>(process_settings(options)); });
  problems.collect([&] { static_cast<void>(parse_key_encoding(options.encoding)); });
  problems.collect([&] { require_distinct_sources(options.keys); });
  problems.collect([&] { claim = claim_of(options.claim); });
  problems.collect([&] {
    if (claim) require_room_for_copies(*claim, settings.exercises);
  });
  problems.collect([&] {
    if (options.junit) require_writable_report(*options.junit);
  });
  problems.throw_if_any();
  return *claim;
}

}  // namespace

int verify_subject_command(const VerifySubjectOptions& options) {
  constexpr const char* kNothingVerified = "the subject was ended and is not verified";
  InterruptWatch watch(kNothingVerified, InterruptWatch::kGrace);
  const Claim claim = checked_claim(options);
  try {
    return print_reports(options, judge_sources(options, claim));
  } catch (const SubjectInterrupted&) {
    return watch.say_interrupted(kNothingVerified);
  } catch (const IoError& error) {
    if (options.junit) write_subject_junit(options, error.what());
    throw;
  }
}

}  // namespace bloometry
