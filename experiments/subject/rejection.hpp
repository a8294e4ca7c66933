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

/// Adds the reasons that follow from one request to the filter with number `filter` and num_keys
/// keys. The reasons are missed members and changed answers.
void add_answer_reasons(const FilterQueries::Answers& answers, std::uint64_t filter,
                        std::uint64_t num_keys, SubjectVerdict& verdict);
void add_erase_reasons(SubjectVerdict& verdict);
/// Adds a reason for each load whose false positives or fills contradict the claim.
void add_load_reasons(SubjectVerdict& verdict);

/// Returns a text such as "consistent with k = 6". The text names another k, m, n or block size
/// that explains the false positives and fills of all loads. Otherwise the text is a note that a
/// different k, m or n does not explain the observations.
[[nodiscard]] std::string likely_cause(const Claim& claim, std::span<const LoadVerdict> loads);

}  // namespace bloometry
