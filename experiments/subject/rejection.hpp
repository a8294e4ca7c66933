#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "experiments/subject/claim.hpp"
#include "experiments/subject/filter_queries.hpp"
#include "experiments/subject/load_test.hpp"

namespace bloometry {

struct SubjectVerdict;

// Functions that add reasons to the verdict, worded as in the report.

/// Adds the reasons found in one request to filter number `filter` of num_keys keys: members that
/// are not found, and changed answers.
void add_answer_reasons(const FilterQueries::Answers& answers, std::uint64_t filter,
                        std::uint64_t num_keys, SubjectVerdict& verdict);
void add_erase_reasons(SubjectVerdict& verdict);
/// Adds a reason for each load whose false positives or fills contradict the claim.
void add_load_reasons(SubjectVerdict& verdict);

/// Returns another k, m, n or block size that explains the false positives and fills of all loads:
/// "consistent with k = 6". If there is none, the text states so.
[[nodiscard]] std::string likely_cause(const Claim& claim, std::span<const LoadVerdict> loads);

}  // namespace bloometry
