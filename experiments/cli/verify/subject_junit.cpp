#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/verify/subject_output.hpp"
#include "experiments/files/file_descriptor.hpp"

namespace bloometry {
namespace {

/// One testcase. At most one of the texts `failure`, `error` and `skipped` is not empty. A testcase
/// with three empty texts has passed.
struct Case {
  std::string name;
  std::string failure{};
  std::string error{};
  std::string skipped{};
};

/// Returns the text for an XML 1.0 attribute, with markup escaped and bytes outside printable ASCII
/// replaced by '?'.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c >= 0x20 && c < 0x7f ? c : '?';
    }
  }
  return result;
}

std::string child(const char* name, const std::string& message) {
  return message.empty() ? "" : fmt::format("    <{} message=\"{}\"/>\n", name, escaped(message));
}

std::string to_xml(const Case& testcase) {
  const std::string inner = child("failure", testcase.failure) + child("error", testcase.error) +
                            child("skipped", testcase.skipped);
  const std::string head =
      fmt::format(R"(  <testcase classname="bloometry.verify" name="{}")", escaped(testcase.name));
  return inner.empty() ? head + "/>\n" : fmt::format("{}>\n{}  </testcase>\n", head, inner);
}

void write(const VerifySubjectOptions& options, const std::vector<Case>& cases) {
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  std::string body;
  for (const Case& testcase : cases) {
    failures += testcase.failure.empty() ? 0 : 1;
    errors += testcase.error.empty() ? 0 : 1;
    skipped += testcase.skipped.empty() ? 0 : 1;
    body += to_xml(testcase);
  }
  replace_file(
      *options.junit,
      fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>)"
                  "\n"
                  R"(<testsuite name="{}" tests="{}" failures="{}" errors="{}" skipped="{}">)"
                  "\n{}</testsuite>\n",
                  escaped("bloometry verify --subject " + options.command), cases.size(), failures,
                  errors, skipped, body));
}

Case false_positives_case(const SubjectReport& report, const LoadVerdict& load) {
  Case result{.name = fmt::format("false positives with {}", plural(load.num_keys, "key"))};
  const std::string outcome = outcome_text(report, load);
  switch (load.outcome) {
    case LoadVerdict::Outcome::kRejected:
      result.failure = report.verdict.why();
      break;
    case LoadVerdict::Outcome::kOpen:
      (report.options.allow_undecided ? result.skipped : result.failure) = outcome;
      break;
    case LoadVerdict::Outcome::kNotQueried:
      result.skipped = outcome;
      break;
    default:
      break;
  }
  return result;
}

std::string failure_if(std::uint64_t count, const SubjectVerdict& verdict) {
  return count > 0 ? verdict.why() : "";
}

std::vector<Case> cases_of(const SubjectReport& report) {
  const SubjectVerdict& verdict = report.verdict;
  std::vector<Case> cases{
      {.name = "members", .failure = failure_if(verdict.num_false_negatives, verdict)},
      {.name = "repeated answers", .failure = failure_if(verdict.num_changed_answers, verdict)}};
  if (report.options.settings.exercises.erase) {
    cases.push_back(
        {.name = "erase",
         .failure = failure_if(verdict.num_refused_erases + verdict.num_wrongful_erases, verdict)});
  }
  cases.push_back({.name = "capacity", .failure = verdict.is_full_too_early ? verdict.why() : ""});
  for (const LoadVerdict& load : verdict.loads) {
    cases.push_back(false_positives_case(report, load));
    if (load.num_fills == 0) continue;
    cases.push_back({.name = fmt::format("fill with {}", plural(load.num_keys, "key")),
                     .failure = load.fill_rejected ? verdict.why() : ""});
  }
  return cases;
}

}  // namespace

void write_subject_junit(const VerifySubjectOptions& options, const SubjectReports& reports) {
  std::vector<Case> all;
  for (const SubjectReport& report : reports) {
    for (Case& testcase : cases_of(report)) {
      if (reports.size() > 1) testcase.name.insert(0, report.options.keys.front() + ": ");
      all.push_back(std::move(testcase));
    }
  }
  write(options, all);
}

void write_subject_junit(const VerifySubjectOptions& options, const std::string& error) {
  write(options, {{.name = "could be judged", .error = error}});
}

}  // namespace bloometry
