#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/judge_subject.hpp"

namespace bloometry {

/// The inputs and the result of judging a subject with one source of keys. The member options.keys
/// contains only one source, and the false-alarm probability is the share of the source.
struct SubjectReport {
  VerifySubjectOptions options;
  Claim claim;
  SubjectVerdict verdict;
};

/// The reports of a subject, one per source of keys.
using SubjectReports = std::vector<SubjectReport>;

/// Returns ACCEPTED, REJECTED or UNDECIDED.
[[nodiscard]] std::string headline(const SubjectVerdict& verdict);
[[nodiscard]] std::string claim_text(const Claim& claim);
/// Returns the verdict on the false positives of one load, such as "REJECTED" or "accepted: a
/// deviation of 10 % is excluded".
[[nodiscard]] std::string outcome_text(const SubjectReport& report, const LoadVerdict& load);

/// Prints the report as text.
void print_subject_text(const SubjectReport& report, std::ostream& out);
/// Prints one JSON object for a single source of keys, or an array of objects for several sources.
void print_subject_json(const SubjectReports& reports, std::ostream& out);

/// Writes one testsuite. For each source of keys, its testcases are members, repeated answers,
/// capacity, false positives and fill of each load, and erase if erase was exercised. With several
/// sources, the name of a testcase starts with its source. Throws IoError and leaves an old file
/// unchanged if the report cannot be written.
void write_subject_junit(const VerifySubjectOptions& options, const SubjectReports& reports);
/// Writes a testsuite for a subject that could not be tested. The testsuite has one testcase, which
/// has the given error.
void write_subject_junit(const VerifySubjectOptions& options, const std::string& error);

}  // namespace bloometry
