#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/core.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "experiments/cli/sweep/sweep_folders.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/sweep/run_sweep.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/text/shell_text.hpp"
#include "experiments/unit/row_columns.hpp"
#include "experiments/verdict/conclusion.hpp"
#include "experiments/verdict/row_names.hpp"
#include "experiments/verdict/value_text.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kNumWorst = 10;
constexpr std::size_t kMaxFilesShown = 50;
constexpr const char* kNothingKept = "the run is neither verified nor kept";

/// Runs a config into a new folder, with progress on standard error.
int run_into(const Config& config, const std::filesystem::path& folder, InterruptWatch& watch) {
  ProgressLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  const SweepOutcome outcome =
      run_sweep(config, {.folder = folder}, InterruptWatch::flag(),
                [&](const SweepProgress& progress) { line.show(progress); });
  line.finish();
  if (!outcome.was_interrupted) return kDone;
  return watch.say_interrupted(kNothingKept);
}

/// Returns the number of rows for each reason why a test was skipped. The false positives of these
/// rows are tested nevertheless.
std::map<std::string, std::uint64_t> tests_skipped(const Verdict& verdict,
                                                   std::string RowVerdict::*because) {
  std::map<std::string, std::uint64_t> skipped;
  for (const RowVerdict& row : verdict.rows) {
    if (row.tested && !(row.*because).empty()) ++skipped[row.*because];
  }
  return skipped;
}

/// Returns the number of rows of limited filters for each reason why the test of the refused
/// inserts was skipped. Other filters do not refuse inserts.
std::map<std::string, std::uint64_t> refused_inserts_tests_skipped(const Verdict& verdict) {
  std::map<std::string, std::uint64_t> skipped =
      tests_skipped(verdict, &RowVerdict::refused_inserts_skipped_because);
  skipped.erase(std::string(kNotLimited));
  return skipped;
}

std::size_t num_shown(const Verdict& verdict) {
  const auto num_deviations = static_cast<std::size_t>(verdict.num_deviations);
  return std::min(verdict.rows.size(),
                  std::clamp(num_deviations, kNumWorst, kMostListedDeviations));
}

// --- Output as text.

std::string p_value_cell(const std::optional<double>& p_value) {
  return p_value ? p_value_text(*p_value) : "-";
}

/// Returns whether the number of refused inserts of any row is tested.
bool tests_refused_inserts(const Verdict& verdict) {
  return std::any_of(verdict.rows.begin(), verdict.rows.end(),
                     [](const RowVerdict& row) { return row.refused_inserts_p_value.has_value(); });
}

bool has_windows(const Verdict& verdict) {
  return std::any_of(verdict.rows.begin(), verdict.rows.end(),
                     [](const RowVerdict& row) { return row.context.window.has_value(); });
}

bool has_streams(const Verdict& verdict) {
  return std::any_of(verdict.rows.begin(), verdict.rows.end(),
                     [](const RowVerdict& row) { return row.context.stream.has_value(); });
}

/// Returns the cells of a row about its stream: originals that were stopped, duplicates that
/// passed, and those of them whose keys the filter held.
std::vector<std::string> stream_cells(const TrialRow& row) {
  if (!row.num_originals) return {"-", "-", "-"};
  const auto part_of = [](std::uint64_t part, std::uint64_t whole) {
    return fmt::format("{} of {}", grouped(part), grouped(whole));
  };
  return {part_of(*row.num_originals_stopped, *row.num_originals),
          part_of(*row.num_duplicates_passed, *row.num_duplicates),
          part_of(*row.num_lost_duplicates, *row.num_held_duplicates)};
}

/// Returns the cells of a row about its window: violations, expired keys that tested positive, and
/// the p-value of the test of these keys.
std::vector<std::string> window_cells(const RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  if (!row.num_window_queries) return {"-", "-", "-"};
  return {grouped(*row.num_window_violations),
          fmt::format("{} of {}", grouped(*row.num_expired_present),
                      grouped(*row.num_expired_queries - *row.num_expired_retained)),
          p_value_cell(verdict.expired_p_value)};
}

/// Prints the worst rows in the order of the verdict, which starts with deviations.
void print_worst(const Verdict& verdict, const RowNames& names) {
  std::vector<TextTable::Column> columns = {{"filter", true}, {"trial"}, {"n"}, {"m"}, {"k"}};
  const bool has_false_negatives = verdict.num_false_negatives > 0;
  if (has_false_negatives) columns.push_back({"false negatives"});
  for (const char* title :
       {"false positives", "expected", "p, false positives", "p, fill", "p, histogram"}) {
    columns.push_back({title});
  }
  const bool has_refused = tests_refused_inserts(verdict);
  if (has_refused) columns.insert(columns.end(), {{"refused inserts"}, {"p, refused inserts"}});
  const bool has_window = has_windows(verdict);
  if (has_window) {
    columns.insert(columns.end(), {{"window violations"}, {"expired present"}, {"p, expired"}});
  }
  const bool has_stream = has_streams(verdict);
  if (has_stream) {
    columns.insert(columns.end(),
                   {{"originals stopped"}, {"duplicates passed"}, {"duplicates lost"}});
  }
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < num_shown(verdict); ++i) {
    const RowVerdict& worst = verdict.rows[i];
    const TrialRow& row = worst.row;
    std::vector<std::string> cells = {names.name(worst), std::to_string(row.trial),
                                      grouped(row.num_inserted), size_text(row),
                                      row.num_hashes ? std::to_string(*row.num_hashes) : "-"};
    if (has_false_negatives) cells.push_back(grouped(row.num_false_negatives));
    cells.insert(cells.end(),
                 {grouped(row.num_false_positives), expected_text(worst.expected_false_positives),
                  p_value_cell(worst.false_positives_p_value), p_value_cell(worst.fill_p_value),
                  p_value_cell(worst.histogram_p_value)});
    if (has_refused) {
      cells.insert(cells.end(), {row.num_refused_inserts ? grouped(*row.num_refused_inserts) : "-",
                                 p_value_cell(worst.refused_inserts_p_value)});
    }
    if (has_window) {
      for (std::string& cell : window_cells(worst)) cells.push_back(std::move(cell));
    }
    if (has_stream) {
      for (std::string& cell : stream_cells(row)) cells.push_back(std::move(cell));
    }
    table.add(std::move(cells));
  }
  if (table.empty()) return;
  std::cout << (verdict.num_false_negatives > 0
                    ? "\nWorst rows (false negatives, then smallest p-values):\n"
                    : "\nWorst rows (smallest p-values):\n");
  table.print(std::cout);
}

void print_deviations(const Verdict& verdict, const RowNames& names) {
  const std::vector<ListedDeviation> listed = listed_deviations(verdict, names);
  if (listed.empty()) return;
  std::cout << "\nDeviations:\n";
  for (const ListedDeviation& deviation : listed) {
    std::cout << "  " << deviation.row << "\n      " << deviation.why << '\n';
  }
  if (listed.size() < verdict.num_deviations) {
    std::cout << "  and " << grouped(verdict.num_deviations - listed.size()) << " more\n";
  }
}

void print_reasons(const std::string& title, const std::map<std::string, std::uint64_t>& reasons) {
  if (reasons.empty()) return;
  std::cout << '\n' << title << '\n';
  for (const auto& [reason, num_rows] : reasons) {
    std::cout << "  " << plural(num_rows, "row") << ": " << reason << '\n';
  }
}

void print_tests(const Verdict& verdict) {
  std::cout << "  rows             " << grouped(verdict.rows.size()) << ", "
            << grouped(verdict.num_tested_rows) << " of them tested\n";
  if (verdict.num_tests == 0) {
    std::cout
        << "  tests            none, so the run is not accepted: a config for tests needs a "
           "variant\n"
           "                   and probes that follow their model, a hash that is not weak and no\n"
           "                   wrongful erases\n";
    return;
  }
  std::cout << "  tests            " << grouped(verdict.num_tests)
            << (has_windows(verdict) ? " (false positives, expired keys and set probes given the "
                                       "filter's own state; fill "
                                     : " (false positives and set probes given the filter's own "
                                       "state; fill ")
            << (tests_refused_inserts(verdict) ? "and refused inserts by their distributions)\n"
                                               : "by its distribution)\n")
            << "  false alarm      " << rounded(verdict.false_alarm, 4)
            << ": the probability that a correct run is rejected\n"
            << "  threshold        " << rounded(verdict.threshold, 3)
            << " (false alarm / tests): a test with a lower p-value is a deviation\n";
}

using Files = std::vector<CheckedFile>;

bool is_faulty(const CheckedFile& file) {
  return is_fault(file.state);
}

/// Prints the commands that repair the files. The table trials.csv is made from the parts, so
/// repaired parts give a correct table.
void print_cure(const Files& files, const std::filesystem::path& folder) {
  const bool has_faulty_part = std::any_of(files.begin(), files.end(), [](const auto& file) {
    return is_faulty(file) && file.name.starts_with("parts/");
  });
  if (has_faulty_part) {
    std::cout << "To remove the changed rows and measure them again: `bloometry sweep repair "
              << printable(shell_word(folder.string()), kMaxCommand)
              << "`, then `bloometry sweep run`.\n";
  } else if (has_faults(files)) {
    std::cout << "To write trials.csv again: delete it, then run `bloometry report "
              << printable(shell_word(folder.string()), kMaxCommand) << "`.\n";
  }
}

/// Prints the files that are not intact. Faulty files come first, so that a truncated list contains
/// the faults.
void print_files(Files files, const std::filesystem::path& folder) {
  std::stable_partition(files.begin(), files.end(), is_faulty);
  std::erase_if(files, [](const CheckedFile& file) { return file.state == FileState::kIntact; });
  if (files.empty()) return;
  std::cout << "\nFiles that are not intact:\n";
  const std::size_t num_shown = std::min(files.size(), kMaxFilesShown);
  for (std::size_t i = 0; i < num_shown; ++i) {
    std::cout << "  " << printable(files[i].name, kMaxShownPointer) << ": "
              << name_of(files[i].state) << ", " << explanation(files[i].state) << '\n';
  }
  if (num_shown < files.size()) {
    std::cout << "  and " << grouped(files.size() - num_shown) << " more\n";
  }
  print_cure(files, folder);
}

void print_text(const Verdict& verdict, const RunData& run, const Files& files,
                const VerifyOptions& options) {
  const FittedLines fitted(std::cout);
  std::string word(name_of(conclude(verdict, files)));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::cout << word << ": " << printable(options.target.string(), kMaxMessage) << '\n';
  print_tests(verdict);
  std::cout
      << "  deviations       " << grouped(verdict.num_deviations) << '\n'
      << "  false negatives  " << grouped(verdict.num_false_negatives) << '\n'
      << (has_windows(verdict) ? fmt::format("  window           {} of keys in the window\n",
                                             plural(verdict.num_window_violations, "violation"))
                               : "")
      << (has_streams(verdict) ? fmt::format("  stream           {} lost that the filters held\n",
                                             plural(verdict.num_lost_duplicates, "duplicate"))
                               : "")
      << "  units missing    " << grouped(verdict.num_missing_units) << " of "
      << grouped(run.num_units) << '\n'
      << "  files changed    "
      << grouped(static_cast<std::uint64_t>(std::count_if(files.begin(), files.end(), is_faulty)))
      << " of " << grouped(files.size()) << '\n';
  if (verdict.num_missing_units > 0) {
    std::cout << "The run is not complete. "
              << printable(resume_text(run.folder, run.config), kMaxCommand) << '\n';
  }
  if (verdict.rows.empty())
    std::cout << "The run does not have rows, so it does not contain a measurement.\n";
  print_files(files, run.folder);
  const RowNames names(verdict, key_labels(run.config));
  print_deviations(verdict, names);
  print_worst(verdict, names);
  print_reasons("Tested without the fill test:",
                tests_skipped(verdict, &RowVerdict::fill_skipped_because));
  print_reasons("Tested without the histogram of set probes:",
                tests_skipped(verdict, &RowVerdict::histogram_skipped_because));
  print_reasons("Tested without the number of refused inserts:",
                refused_inserts_tests_skipped(verdict));
  print_reasons("Tested without the expired keys of the window:",
                tests_skipped(verdict, &RowVerdict::expired_skipped_because));
  print_reasons("Exempt from the tests:", verdict.exempt);
}

// --- Output as JSON.

nlohmann::ordered_json to_json(const RowVerdict& verdict) {
  const TrialRow& row = verdict.row;
  return {{"unit", row.unit},
          {"variant", row.variant},
          {"keys", row.keys},
          {"hash", row.hash},
          {"probes", row.probes},
          {"params", nlohmann::ordered_json::parse(row.params)},
          {"trial", row.trial},
          {"num_inserted", row.num_inserted},
          {"num_bits", row.num_bits},
          {"num_counters", or_null(row.num_counters)},
          {"num_hashes", or_null(row.num_hashes)},
          {"initial_capacity", or_null(verdict.context.initial_capacity)},
          {"target_false_positive_rate", or_null(row.target_false_positive_rate)},
          {"num_queries", row.num_queries},
          {"num_false_positives", row.num_false_positives},
          {"expected_false_positives", verdict.expected_false_positives},
          {"num_false_negatives", row.num_false_negatives},
          {"num_refused_inserts", or_null(row.num_refused_inserts)},
          {"expected_refused_inserts", or_null(verdict.expected_refused_inserts)},
          {"num_ones", row.num_ones},
          {"expected_ones", or_null(verdict.expected_ones)},
          {"tested", verdict.tested},
          {"false_positives_p_value", or_null(verdict.false_positives_p_value)},
          {"fill_p_value", or_null(verdict.fill_p_value)},
          {"histogram_p_value", or_null(verdict.histogram_p_value)},
          {"refused_inserts_p_value", or_null(verdict.refused_inserts_p_value)},
          {"deviates", verdict.deviates},
          {"why", verdict.why}};
}

/// Returns the window of a row with its counts and its test. Empty without a window.
nlohmann::ordered_json window_json(const RowVerdict& verdict) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!verdict.context.window) return json;
  for_each_window_column(verdict.context.window,
                         [&](const char* name, auto value) { json[name] = value; });
  for_each_window_count(verdict.row,
                        [&](const char* name, const auto& value) { json[name] = or_null(value); });
  json["expected_expired_present"] = or_null(verdict.expected_expired_present);
  json["expired_p_value"] = or_null(verdict.expired_p_value);
  return json;
}

/// Returns the stream of a row with its counts. Empty without a stream.
nlohmann::ordered_json stream_json(const RowVerdict& verdict) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!verdict.context.stream) return json;
  for_each_stream_column(verdict.context.stream,
                         [&](const char* name, auto value) { json[name] = value; });
  for_each_stream_count(verdict.row,
                        [&](const char* name, const auto& value) { json[name] = or_null(value); });
  return json;
}

void print_json(const Verdict& verdict, const RunData& run, const Files& files,
                const VerifyOptions& options) {
  nlohmann::ordered_json json = {
      {"accepted", conclude(verdict, files) == Conclusion::kAccepted},
      {"verdict", name_of(conclude(verdict, files))},
      {"target", options.target.string()},
      {"num_rows", verdict.rows.size()},
      {"num_tested_rows", verdict.num_tested_rows},
      {"num_tests", verdict.num_tests},
      {"false_alarm", verdict.false_alarm},
      {"threshold", verdict.threshold},
      {"num_deviations", verdict.num_deviations},
      {"num_false_negatives", verdict.num_false_negatives},
      {"num_window_violations", verdict.num_window_violations},
      {"num_lost_duplicates", verdict.num_lost_duplicates},
      {"num_units", run.num_units},
      {"num_missing_units", verdict.num_missing_units},
      {"exempt", verdict.exempt},
      {"fill_tests_skipped", tests_skipped(verdict, &RowVerdict::fill_skipped_because)},
      {"histogram_tests_skipped", tests_skipped(verdict, &RowVerdict::histogram_skipped_because)},
      {"refused_inserts_tests_skipped", refused_inserts_tests_skipped(verdict)},
      {"expired_tests_skipped", tests_skipped(verdict, &RowVerdict::expired_skipped_because)},
      {"files", nlohmann::ordered_json::array()},
      {"worst", nlohmann::ordered_json::array()}};
  for (const CheckedFile& file : files) {
    json["files"].push_back({{"name", file.name}, {"state", name_of(file.state)}});
  }
  for (std::size_t i = 0; i < num_shown(verdict); ++i) {
    json["worst"].push_back(to_json(verdict.rows[i]));
    for_each_churn_column(verdict.rows[i].context.churn, [&](const char* name, auto value) {
      json["worst"].back()[name] = value;
    });
    json["worst"].back().update(window_json(verdict.rows[i]));
    json["worst"].back().update(stream_json(verdict.rows[i]));
  }
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

struct Answer {
  int code = kDone;
  bool is_rejected = false;  ///< true if the run deviates and must be kept as evidence
};

Verdict judge_with_progress(const RunData& run, double false_alarm) {
  RowsLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  return judge(
      run, false_alarm,
      {.num_threads = num_usable_cpus(), .observe = [&](std::size_t done, std::size_t all) {
         line.show("testing rows", done, all);
       }});
}

Answer verify_folder(const std::filesystem::path& folder, const VerifyOptions& options) {
  const RunData run = read_run(folder);
  const Files files = check_files(run);
  const Verdict verdict = judge_with_progress(run, options.false_alarm);
  if (options.json) {
    print_json(verdict, run, files, options);
  } else {
    print_text(verdict, run, files, options);
  }
  const Conclusion conclusion = conclude(verdict, files);
  const bool is_accepted = conclusion == Conclusion::kAccepted;
  return {.code = is_accepted ? kDone : kAnswerIsNo,
          .is_rejected = !is_accepted && conclusion != Conclusion::kNothingTested};
}

/// Runs a config in a new folder and verifies the run. The default folder may contain rows of an
/// earlier build, which are not evidence about the current build. A rejected run is kept as
/// evidence.
int verify_config(const VerifyOptions& options) {
  InterruptWatch watch(kNothingKept, InterruptWatch::kGrace);
  const Config config = load_config(options.target);
  print_key_notes(config);
  ScratchFolder scratch("bloometry-verify-");
  const std::filesystem::path folder = scratch.path() / "run";
  const int code = run_into(config, folder, watch);
  if (code != kDone) return code;
  const Answer answer = verify_folder(folder, options);
  if (answer.is_rejected) {
    scratch.keep();
    print_message("the rejected run is kept in " + folder.string());
  }
  return answer.code;
}

}  // namespace

int verify_command(const VerifyOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(options.target, ignored)) {
    const InterruptWatch watch("the run is not verified; its folder is unchanged");
    require_no_folder_of_runs(options.target, "verify");
    return verify_folder(options.target, options).code;
  }
  if (!std::filesystem::exists(options.target, ignored)) {
    require_no_folder_of_runs(options.target, "verify");
    throw ConfigError(
        fmt::format("TARGET must be a run folder or a config, got '{}', which does not exist",
                    options.target.string()));
  }
  return verify_config(options);
}

}  // namespace bloometry
