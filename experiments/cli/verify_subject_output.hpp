#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/cli/commands.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/judge_subject.hpp"

namespace bloometry {

/// The inputs and the result of judging a subject with one source of keys: options.keys holds that
/// source, and the false alarm is its share.
struct SubjectReport {
  VerifySubjectOptions options;
  Claim claim;
  SubjectVerdict verdict;
};

/// One for each source of keys.
using SubjectReports = std::vector<SubjectReport>;

/// ACCEPTED, REJECTED or UNDECIDED.
[[nodiscard]] std::string headline(const SubjectVerdict& verdict);
[[nodiscard]] std::string claim_text(const Claim& claim);
/// How the hits of one load were judged: "REJECTED", "accepted: a rate off by 10 % is excluded".
[[nodiscard]] std::string outcome_text(const SubjectReport& report, const LoadVerdict& load);

/// For people.
void print_subject_text(const SubjectReport& report, std::ostream& out);
/// One JSON object, or with several sources of keys an array of them.
void print_subject_json(const SubjectReports& reports, std::ostream& out);

/// One testsuite of testcases: members, repeated answers, hits and fill of each load, and erase if
/// it was exercised, for each source of keys. @throws IoError, leaving an old file as it is.
void write_subject_junit(const VerifySubjectOptions& options, const SubjectReports& reports);
/// The same with one testcase in error, of a subject that could not be judged.
void write_subject_junit(const VerifySubjectOptions& options, const std::string& error);

}  // namespace bloometry
