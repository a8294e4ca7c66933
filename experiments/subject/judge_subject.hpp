#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "experiments/subject/claim.hpp"
#include "experiments/subject/exercise_filter.hpp"
#include "experiments/subject/load_test.hpp"
#include "experiments/subject/loads.hpp"
#include "experiments/subject/measurement_plan.hpp"
#include "experiments/subject/subject.hpp"

namespace bloometry {

struct SubjectSettings {
  MeasurementGoal goal{};  ///< false alarm of the verdict
  std::vector<double> loads{std::begin(kDefaultLoads), std::end(kDefaultLoads)};
  std::optional<std::uint64_t> num_filters{};  ///< default: from the claim
  std::optional<std::uint64_t> num_queries{};  ///< of each filter and load
  std::uint64_t max_member_queries = 100'000;  ///< of each filter and load
  bool sequential = true;
  std::uint64_t seed = 1;  ///< of the order of questions
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
  std::vector<LoadVerdict> loads{};
  std::uint64_t num_filters = 0;  ///< finished or begun
  std::uint64_t num_queries = 0;  ///< absent keys asked, of all filters and loads
  std::uint64_t num_hits = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
  std::uint64_t num_repeats = 0;          ///< keys asked again
  std::uint64_t num_changed_answers = 0;  ///< of them, answered otherwise than before
  std::uint64_t num_refused_erases = 0;   ///< of keys that were in the filter
  std::uint64_t num_wrongful_erases = 0;  ///< of keys that the filter itself called absent
  bool is_full_too_early = false;         ///< before it holds the keys of its claim
  bool tells_fill = false;
  bool ignores_fill = false;           ///< told, but a claim with blocks has no test of it
  std::optional<double> p_value{};     ///< of all tests; absent if nothing was tested
  bool undecided = false;              ///< a sequential test ran out of queries
  std::vector<std::string> reasons{};  ///< one per deviation; none: accepted
  std::string hint{};                  ///< what else would explain the hits or fills

  [[nodiscard]] bool accepted() const noexcept { return reasons.empty(); }

  /// The reasons and the hint with "; " between them.
  [[nodiscard]] std::string why() const;
};

/// Builds filters of the subject, asks them at every load for absent keys and members, and holds
/// the answers against the claim: an honest subject is rejected with probability at most
/// goal.false_alarm, which is shared out equally between all tests (Bonferroni).
///
/// One filter goes through the loads as it fills. Each load has a test of its own, against the law
/// of filters with that many keys, so that it does not matter that loads share filters.
/// Fixed plan: R filters of Q queries, TotalHitsTest of all hits. Sequential: SequentialTest after
/// every batch, or ByFilterTest after every filter of a claim with blocks, which stops as soon as
/// it is decided, at the latest after 4 R filters. Of the loads the one nearest the claim decides
/// how many queries the others may take. Subjects that tell their fill: FillTest, and hits given
/// the fill. A member that is not found, a key that gets another answer than before, a filter that
/// is full before it holds its keys, an erase that must succeed and does not, and one that must not
/// and does, reject at once and without statistics.
/// @throws IoError if the subject cannot be judged, or does not end properly after it was accepted;
/// SubjectInterrupted, as Subject does.
[[nodiscard]] SubjectVerdict judge_subject(Subject& subject, const Claim& claim,
                                           const SubjectSettings& settings,
                                           const ShowSubjectProgress& show);

}  // namespace bloometry
