#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "experiments/subject/claim.hpp"
#include "experiments/subject/filter_questions.hpp"
#include "experiments/subject/load_test.hpp"

namespace bloometry {

struct SubjectVerdict;

// Each adds to the verdict's reasons what its numbers say is wrong, in the words of the report.

/// Adds the reasons that one request to filter number `filter`, which holds num_keys keys, gives:
/// members that are not found, and answers that changed.
void add_answer_reasons(const FilterQuestions::Answers& answers, std::uint64_t filter,
                        std::uint64_t num_keys, SubjectVerdict& verdict);
void add_erase_reasons(SubjectVerdict& verdict);
/// Hits and fills that contradict the claim.
void add_load_reasons(SubjectVerdict& verdict);

/// Other k, m, n or blocks that would explain the hits and fills of all loads: "consistent with k =
/// 6", or a statement that no other one does.
[[nodiscard]] std::string likely_cause(const Claim& claim, std::span<const LoadVerdict> loads);

}  // namespace bloometry
