#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "experiments/subject/claim.hpp"
#include "experiments/subject/filter_queries.hpp"
#include "experiments/subject/load_test.hpp"

namespace bloometry {

struct SubjectVerdict;

// Functions that add to the verdict's reasons, in the words of the report.

/// Adds the reasons from one request to filter number `filter`, which holds num_keys keys: members
/// that are not found, and changed answers.
void add_answer_reasons(const FilterQueries::Answers& answers, std::uint64_t filter,
                        std::uint64_t num_keys, SubjectVerdict& verdict);
void add_erase_reasons(SubjectVerdict& verdict);
/// Adds false positives and fills that contradict the claim.
void add_load_reasons(SubjectVerdict& verdict);

/// Returns another k, m, n or block size that would explain the false positives and fills of all
/// loads: "consistent with k = 6", or a statement that the search failed.
[[nodiscard]] std::string likely_cause(const Claim& claim, std::span<const LoadVerdict> loads);

}  // namespace bloometry
