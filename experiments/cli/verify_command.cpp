#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/progress_line.hpp"
#include "experiments/cli/scratch_folder.hpp"
#include "experiments/cli/text_table.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/sweep/run_sweep.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kNumWorst = 10;
constexpr std::size_t kMaxDeviationsShown = 50;

/// Runs a config into a new folder, with progress on standard error.
int run_into(const Config& config, const std::filesystem::path& folder) {
  const InterruptWatch watch;
  ProgressLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  const SweepOutcome outcome =
      run_sweep(config, {.folder = folder}, InterruptWatch::flag(),
                [&](const SweepProgress& progress) { line.show(progress); });
  line.finish();
  if (!outcome.was_interrupted) return kDone;
  std::cerr << "bloometry: interrupted; nothing is verified and nothing kept\n";
  return kInterrupted;
}

/// Rows without one of the tests, by reason: they are tested all the same, by their hits.
std::map<std::string, std::uint64_t> tests_skipped(const Verdict& verdict,
                                                   std::string RowVerdict::*because) {
  std::map<std::string, std::uint64_t> skipped;
  for (const RowVerdict& row : verdict.rows) {
    if (row.tested && !(row.*because).empty()) ++skipped[row.*because];
  }
  return skipped;
}

std::size_t num_shown(const Verdict& verdict) {
  const auto num_deviations = static_cast<std::size_t>(verdict.num_deviations);
  return std::min(verdict.rows.size(), std::clamp(num_deviations, kNumWorst, kMaxDeviationsShown));
}

// --- For people.

std::string size_text(const TrialRow& row) {
  if (row.target_false_positive_rate) return "p = " + rounded(*row.target_false_positive_rate, 6);
  return grouped(row.num_counters.value_or(row.num_bits));
}

std::string p_value_text(const std::optional<double>& p_value) {
  return p_value ? rounded(*p_value, 3) : "-";
}

void print_worst(const Verdict& verdict) {
  TextTable table({{"variant", true},
                   {"keys", true},
                   {"probes", true},
                   {"trial"},
                   {"n"},
                   {"m"},
                   {"k"},
                   {"hits"},
                   {"expected"},
                   {"p, hits"},
                   {"p, fill"},
                   {"p, histogram"}});
  for (std::size_t i = 0; i < num_shown(verdict); ++i) {
    const RowVerdict& worst = verdict.rows[i];
    const TrialRow& row = worst.row;
    table.add({row.variant, row.keys, row.probes, std::to_string(row.trial),
               grouped(row.num_inserted), size_text(row),
               row.num_hashes ? std::to_string(*row.num_hashes) : "-",
               grouped(row.num_false_positives), rounded(worst.expected_hits, 6),
               p_value_text(worst.hits_p_value), p_value_text(worst.fill_p_value),
               p_value_text(worst.histogram_p_value)});
  }
  if (table.empty()) return;
  std::cout << "\nWorst rows (smallest p-values):\n";
  table.print(std::cout);
}

std::string point_text(const TrialRow& row) {
  std::string text = row.variant + ", " + row.probes + " probes, " + row.keys + " keys, trial " +
                     std::to_string(row.trial) + ": n = " + grouped(row.num_inserted) + ", " +
                     (row.target_false_positive_rate ? "" : "m = ") + size_text(row);
  if (row.num_hashes) text += ", k = " + std::to_string(*row.num_hashes);
  return text;
}

void print_deviations(const Verdict& verdict) {
  if (verdict.num_deviations == 0) return;
  std::cout << "\nDeviations:\n";
  std::size_t num_printed = 0;
  for (const RowVerdict& row : verdict.rows) {
    if (!row.deviates || num_printed == kMaxDeviationsShown) break;
    std::cout << "  " << point_text(row.row) << "\n      " << row.why << '\n';
    ++num_printed;
  }
  if (num_printed < verdict.num_deviations) {
    std::cout << "  and " << grouped(verdict.num_deviations - num_printed) << " more\n";
  }
}

void print_reasons(const std::string& title, const std::map<std::string, std::uint64_t>& reasons) {
  if (reasons.empty()) return;
  std::cout << '\n' << title << '\n';
  for (const auto& [reason, num_rows] : reasons) {
    std::cout << "  " << grouped(num_rows) << " rows: " << reason << '\n';
  }
}

void print_tests(const Verdict& verdict) {
  std::cout << "  rows             " << grouped(verdict.rows.size()) << ", of which "
            << grouped(verdict.num_tested_rows) << " tested\n";
  if (verdict.num_tests == 0) {
    std::cout << "  tests            none: nothing here can tell whether theory holds\n";
    return;
  }
  std::cout << "  tests            " << grouped(verdict.num_tests)
            << " (hits and set probes given the filter's own state; fill by its law)\n"
            << "  false alarm      " << rounded(verdict.false_alarm, 6)
            << ": the probability that an honest run is rejected\n"
            << "  threshold        a p-value below " << rounded(verdict.threshold, 3)
            << " deviates (false alarm / tests)\n";
}

/// The verdict in one word: theory is only said to hold, or not to, where something was tested.
std::string headline(const Verdict& verdict) {
  if (verdict.num_deviations > 0) return "rejected";
  if (!verdict.accepted()) return "incomplete";
  return verdict.num_tests > 0 ? "accepted" : "nothing tested";
}

void print_text(const Verdict& verdict, const RunData& run, const VerifyOptions& options) {
  std::string word = headline(verdict);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::cout << word << ": " << options.target.string() << '\n';
  print_tests(verdict);
  std::cout << "  deviations       " << grouped(verdict.num_deviations) << '\n'
            << "  false negatives  " << grouped(verdict.num_false_negatives) << '\n'
            << "  units missing    " << grouped(verdict.num_missing_units) << " of "
            << grouped(run.num_units) << '\n';
  if (verdict.num_missing_units > 0) {
    std::cout << "The run is not complete: finish it with `bloometry sweep run`, then verify.\n";
  }
  if (verdict.rows.empty()) std::cout << "There are no rows: nothing was measured.\n";
  print_deviations(verdict);
  print_worst(verdict);
  print_reasons("Tested without the fill test:",
                tests_skipped(verdict, &RowVerdict::fill_skipped_because));
  print_reasons("Tested without the histogram of set probes:",
                tests_skipped(verdict, &RowVerdict::histogram_skipped_because));
  print_reasons("Studied, not tested:", verdict.studied);
}

// --- For programs.

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

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
          {"num_queries", row.num_queries},
          {"num_false_positives", row.num_false_positives},
          {"expected_false_positives", verdict.expected_hits},
          {"num_false_negatives", row.num_false_negatives},
          {"num_ones", row.num_ones},
          {"expected_ones", or_null(verdict.expected_ones)},
          {"tested", verdict.tested},
          {"hits_p_value", or_null(verdict.hits_p_value)},
          {"fill_p_value", or_null(verdict.fill_p_value)},
          {"histogram_p_value", or_null(verdict.histogram_p_value)},
          {"deviates", verdict.deviates},
          {"why", verdict.why}};
}

void print_json(const Verdict& verdict, const RunData& run, const VerifyOptions& options) {
  nlohmann::ordered_json json = {
      {"accepted", verdict.accepted()},
      {"verdict", headline(verdict)},
      {"target", options.target.string()},
      {"num_rows", verdict.rows.size()},
      {"num_tested_rows", verdict.num_tested_rows},
      {"num_tests", verdict.num_tests},
      {"false_alarm", verdict.false_alarm},
      {"threshold", verdict.threshold},
      {"num_deviations", verdict.num_deviations},
      {"num_false_negatives", verdict.num_false_negatives},
      {"num_units", run.num_units},
      {"num_missing_units", verdict.num_missing_units},
      {"studied", verdict.studied},
      {"fill_tests_skipped", tests_skipped(verdict, &RowVerdict::fill_skipped_because)},
      {"histogram_tests_skipped", tests_skipped(verdict, &RowVerdict::histogram_skipped_because)},
      {"worst", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < num_shown(verdict); ++i) {
    json["worst"].push_back(to_json(verdict.rows[i]));
  }
  std::cout << json.dump(2) << '\n';
}

int verify_folder(const std::filesystem::path& folder, const VerifyOptions& options) {
  const RunData run = read_run(folder);
  const Verdict verdict = judge(run, options.false_alarm);
  if (options.json) {
    print_json(verdict, run, options);
  } else {
    print_text(verdict, run, options);
  }
  return verdict.accepted() ? kDone : kAnswerIsNo;
}

/// A run of its own in a folder of its own: rows that an earlier build left in the default folder
/// say nothing about this one. Kept if rejected, as evidence.
int verify_config(const VerifyOptions& options) {
  // A pipe may take long: signals are not watched yet, so that Ctrl-C ends the program.
  const Config config = load_config(options.target);
  ScratchFolder scratch("bloometry-verify-");
  const std::filesystem::path folder = scratch.path() / "run";
  const int code = run_into(config, folder);
  if (code != kDone) return code;
  const int answer = verify_folder(folder, options);
  if (answer != kDone) {
    scratch.keep();
    std::cerr << "bloometry: the rejected run is kept in " << folder.string() << '\n';
  }
  return answer;
}

}  // namespace

int verify_command(const VerifyOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(options.target, ignored)) {
    return verify_folder(options.target, options);
  }
  if (!std::filesystem::exists(options.target, ignored)) {
    throw ConfigError("TARGET must be a run folder or a config, got '" + options.target.string() +
                      "', which does not exist");
  }
  return verify_config(options);
}

}  // namespace bloometry
