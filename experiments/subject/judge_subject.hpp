#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/statistics/sequential_test.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/measurement_plan.hpp"
#include "experiments/subject/subject.hpp"

namespace bloometry {

/// What else than insert and query a subject must survive before it is measured.
struct Exercises {
  bool merge = false;       ///< half of the members come in a second filter that is merged
  bool erase = false;       ///< further keys come and go; absent keys are erased in vain
  bool saturation = false;  ///< one member is inserted 20 times more and erased 15 times
};

struct SubjectSettings {
  MeasurementGoal goal{};
  std::optional<std::uint64_t> num_filters{};  ///< default: from the claim
  std::optional<std::uint64_t> num_queries{};
  std::uint64_t max_member_queries = 100'000;  ///< of each filter
  bool sequential = false;
  Exercises exercises{};
};

/// How far the judging is.
struct SubjectProgress {
  std::uint64_t num_filters_done = 0;
  std::uint64_t num_filters = 0;
  std::uint64_t num_keys_sent = 0;
  std::uint64_t num_keys_planned = 0;
};

using ShowSubjectProgress = std::function<void(const SubjectProgress&)>;

/// What was found, and what it means.
struct SubjectVerdict {
  MeasurementPlan plan{};
  std::uint64_t num_filters = 0;  ///< finished or begun
  std::uint64_t num_queries = 0;  ///< absent keys asked, of all filters
  std::uint64_t num_hits = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
  std::uint64_t num_refused_erases = 0;   ///< of keys that were in the filter
  std::uint64_t num_wrongful_erases = 0;  ///< of keys that the filter itself called absent
  std::optional<double> p_value{};        ///< of the hits; absent if something else decided
  std::string decided_by{};               ///< of a sequential test: how it ended
  bool undecided = false;                 ///< a sequential test ran out of queries
  std::string why{};  ///< one reason per deviation, "; " between them; empty: accepted

  [[nodiscard]] bool accepted() const noexcept { return why.empty(); }
};

/// Builds filters of the subject, asks them for absent keys and members, and holds the answers
/// against the claim: an honest subject is rejected with probability at most goal.false_alarm.
///
/// Fixed plan: R filters of Q queries, TotalHitsTest of all hits. Sequential: SequentialTest after
/// every batch, which stops as soon as it is decided, at the latest after 4 R filters. A member
/// that is not found, an erase that must succeed and does not, and one that must not and does,
/// reject at once and without statistics.
/// @throws IoError if the subject cannot be judged, SubjectInterrupted, as Subject does.
[[nodiscard]] SubjectVerdict judge_subject(Subject& subject, const Claim& claim,
                                           const SubjectSettings& settings,
                                           const ShowSubjectProgress& show);

}  // namespace bloometry
