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

/// One report per source of keys.
using SubjectReports = std::vector<SubjectReport>;

/// Returns ACCEPTED, REJECTED or UNDECIDED.
[[nodiscard]] std::string headline(const SubjectVerdict& verdict);
[[nodiscard]] std::string claim_text(const Claim& claim);
/// Returns the verdict on the false positives of one load: "REJECTED", "accepted: a rate off by 10
/// % is excluded".
[[nodiscard]] std::string outcome_text(const SubjectReport& report, const LoadVerdict& load);

/// Prints the report for people.
void print_subject_text(const SubjectReport& report, std::ostream& out);
/// Prints one JSON object, or an array of them for several sources of keys.
void print_subject_json(const SubjectReports& reports, std::ostream& out);

/// Writes one testsuite per source of keys, with these testcases: members, repeated answers, false
/// positives and fill of each load, and erase if it was exercised. @throws IoError, leaving an old
/// file unchanged.
void write_subject_junit(const VerifySubjectOptions& options, const SubjectReports& reports);
/// Writes a testsuite with one testcase in error, for a subject that could not be tested.
void write_subject_junit(const VerifySubjectOptions& options, const std::string& error);

}  // namespace bloometry
