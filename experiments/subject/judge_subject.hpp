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
  MeasurementGoal goal{};  ///< goal.false_alarm applies to the whole verdict
  std::vector<double> loads{std::begin(kDefaultLoads), std::end(kDefaultLoads)};
  std::optional<std::uint64_t> num_filters{};  ///< default: computed from the claim
  std::optional<std::uint64_t> num_queries{};  ///< number of queries per filter and load
  std::uint64_t max_member_queries = 100'000;  ///< maximum per filter and load
  bool sequential = true;
  std::uint64_t seed = 1;  ///< seed for the order of queries
  Exercises exercises{};
};

/// Progress of the measurement.
struct SubjectProgress {
  std::uint64_t num_filters_done = 0;
  std::uint64_t num_filters = 0;
  std::uint64_t num_keys_sent = 0;
  std::uint64_t num_keys_planned = 0;
};

using ShowSubjectProgress = std::function<void(const SubjectProgress&)>;

/// The results of the measurement and the verdict.
struct SubjectVerdict {
  std::vector<LoadVerdict> loads{};
  std::uint64_t num_filters = 0;  ///< number of measured filters, complete or not
  std::uint64_t num_queries = 0;  ///< number of absent keys queried, over all filters and loads
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
  std::uint64_t num_repeats = 0;          ///< number of repeated keys
  std::uint64_t num_changed_answers = 0;  ///< number of repeated keys whose answer changed
  std::uint64_t num_refused_erases = 0;   ///< number of failed erases of members
  std::uint64_t num_wrongful_erases = 0;  ///< number of erased absent keys
  bool is_full_too_early = false;         ///< true if full at or below N keys
  bool reports_fill = false;
  bool ignores_fill = false;           ///< true if fills are reported, but not tested
  std::optional<double> p_value{};     ///< p-value over all tests; absent without tests
  bool undecided = false;              ///< true if a test is open or all loads are excluded
  std::vector<std::string> reasons{};  ///< one reason per deviation; empty if accepted
  std::string hint{};                  ///< phrase about a filter that explains the answers

  [[nodiscard]] bool accepted() const noexcept { return reasons.empty(); }

  /// Returns the reasons and the hint, separated by "; ".
  [[nodiscard]] std::string why() const;
};

/// Builds filters of the subject, queries absent keys and members at every load, and compares the
/// answers with the claim. A correct subject is rejected with probability at most goal.false_alarm.
/// All tests have equal shares of goal.false_alarm (Bonferroni).
///
/// Each filter is measured at all loads while it is filled. Each load has its own test against the
/// distribution for filters with its number of keys. The tests are valid although the loads share
/// filters. A fixed plan has R filters of Q queries, and TotalPositivesTest tests all false
/// positives. A sequential plan applies SequentialTest after every batch, or ByFilterTest after
/// every filter of a claim whose law is a bound. A sequential plan stops after a decision, and at
/// the latest after 4 R filters. The load nearest to the claim determines the maximum number of
/// queries at the other loads. If the subject reports its fill, FillTest tests the fill, and the
/// false positives are tested given the fill. A missed member, a changed answer, a wrong erase, or
/// a filter that is full at or below N keys causes a rejection without a statistical test.
/// @throws IoError if the subject cannot be tested, or if an accepted subject does not exit with
/// code 0. Throws SubjectInterrupted under the same conditions as Subject.
[[nodiscard]] SubjectVerdict judge_subject(Subject& subject, const Claim& claim,
                                           const SubjectSettings& settings,
                                           const ShowSubjectProgress& show);

}  // namespace bloometry
