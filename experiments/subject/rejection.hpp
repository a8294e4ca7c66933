#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "experiments/subject/claim.hpp"
#include "experiments/subject/filter_queries.hpp"
#include "experiments/subject/load_test.hpp"

namespace bloometry {

struct SubjectVerdict;

// Functions that add reasons to the verdict. The report prints these reasons unchanged.

/// Adds a reason for missed members and a reason for changed answers of one request. The request
/// was for the filter with number `filter`, which contained num_keys keys.
void add_answer_reasons(const FilterQueries::Answers& answers, std::uint64_t filter,
                        std::uint64_t num_keys, SubjectVerdict& verdict);
void add_erase_reasons(SubjectVerdict& verdict);
/// Adds a reason for each load whose false positives or fills contradict the claim.
void add_load_reasons(SubjectVerdict& verdict);

/// Returns a hint such as "consistent with k = 6". The hint names another k, m, n, block size or
/// width of fingerprints that explains the false positives and fills of all loads. If such a value
/// does not exist, the hint states that a change of k, m or n alone does not explain the
/// observations.
[[nodiscard]] std::string likely_cause(const Claim& claim, std::span<const LoadVerdict> loads);

}  // namespace bloometry
