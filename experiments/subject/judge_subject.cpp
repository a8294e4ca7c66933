#include "experiments/subject/judge_subject.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "core/statistics/seed_sequence.hpp"
#include "core/text.hpp"
#include "experiments/subject/filter_queries.hpp"
#include "experiments/subject/rejection.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kFirstBatch = 64;   // small, because few queries reveal gross errors
constexpr double kBudgetShare = 0.5;      // share of the queries planned at the nearest load
constexpr double kLeastBudget = 200'000;  // minimum number of queries at other loads

/// Returns the claims for all loads.
std::vector<Claim> claims_at(const Claim& claim, std::span<const double> loads) {
  std::vector<Claim> claims;
  for (const std::uint64_t num_keys : keys_at_loads(claim.num_keys, loads)) {
    claims.push_back(at_load(claim, num_keys));
  }
  return claims;
}

/// Returns the claim whose load is nearest to the claimed number of keys. The verdict requires a
/// decision at the nearest load.
const Claim& nearest(const std::vector<Claim>& claims, std::uint64_t num_keys) {
  const auto distance = [&](const Claim& claim) {
    return std::abs(std::log(static_cast<double>(claim.num_keys) / static_cast<double>(num_keys)));
  };
  return *std::min_element(claims.begin(), claims.end(), [&](const Claim& a, const Claim& b) {
    return distance(a) < distance(b);
  });
}

std::vector<LoadTest> make_tests(const Claim& claim, const SubjectSettings& settings,
                                 bool has_fills) {
  const std::vector<Claim> claims = claims_at(claim, settings.loads);
  LoadTest::Settings of_load{
      .goal = settings.goal, .is_sequential = settings.sequential, .has_fills = has_fills};
  of_load.goal.false_alarm /= static_cast<double>(claims.size());
  const Claim& main = nearest(claims, claim.num_keys);
  const auto plan = [&](const Claim& at, double max_queries) {
    return plan_measurement(at.law.rates, of_load.goal, settings.num_filters, settings.num_queries,
                            max_queries);
  };
  const MeasurementPlan main_plan = plan(main, kMaxPlannedQueries);
  const double budget =
      std::max(kLeastBudget, kBudgetShare * static_cast<double>(main_plan.num_filters) *
                                 static_cast<double>(main_plan.num_queries));
  std::vector<LoadTest> tests;
  for (const Claim& at : claims) {
    const bool is_main = at.num_keys == main.num_keys;
    const bool is_measurable = at.law.rates.mean() >= kMinMeasurableRate;
    MeasurementPlan of_test = is_main ? main_plan : MeasurementPlan{};
    if (!is_main && is_measurable) of_test = plan(at, budget);
    of_load.must_decide = is_main && of_test.share_of_goal > 0;
    tests.emplace_back(at, of_test, of_load);
    if (!is_measurable) tests.back().leave_out("its rate is below 1e-100");
  }
  return tests;
}

/// Measures filters one after the other until the plan is complete or the tests reach a decision.
class Judge {
 public:
  Judge(Subject& subject, const Claim& claim, const SubjectSettings& settings,
        const ShowSubjectProgress& show)
      : subject_(subject), claim_(claim), settings_(settings), show_(show) {}

  SubjectVerdict run() {
    // The false-alarm probability is divided before any result is known. The number of tests
    // depends on whether the subject reports fills.
    const bool reports_fill = begin_filter();
    verdict_.reports_fill = reports_fill && claim_.law.has_fill_law;
    verdict_.ignores_fill = reports_fill && !claim_.law.has_fill_law;
    tests_ = make_tests(claim_, settings_, verdict_.reports_fill);
    plan_progress();
    for (trial_ = 0; is_wanted() && !is_rejected(); ++trial_) {
      if (trial_ > 0) begin_filter();
      measure_filter();
      ++progress_.num_filters_done;
    }
    conclude();
    return verdict_;
  }

 private:
  bool begin_filter() {
    ++verdict_.num_filters;
    return subject_.begin(claim_.num_keys, claim_.num_cells, claim_.num_hashes);
  }

  [[nodiscard]] bool is_wanted() const {
    return std::any_of(tests_.begin(), tests_.end(), [this](const LoadTest& test) {
      return test.needs_false_positives(trial_) || test.needs_fill(trial_);
    });
  }

  [[nodiscard]] bool is_rejected() const {
    return !verdict_.accepted() ||
           std::any_of(tests_.begin(), tests_.end(),
                       [](const LoadTest& test) { return test.is_rejected(); });
  }

  void plan_progress() {
    for (const LoadTest& test : tests_) {
      progress_.num_filters = std::max(progress_.num_filters, test.max_filters());
      progress_.num_keys_planned +=
          test.max_filters() *
          (num_members_queried(test) + (test.plan().reaches_goal() ? test.plan().num_queries : 0));
    }
    progress_.num_keys_planned += progress_.num_filters * tests_.back().num_keys();
  }

  [[nodiscard]] std::uint64_t num_members_queried(const LoadTest& test) const {
    return std::min(test.num_keys(), settings_.max_member_queries);
  }

  void measure_filter() {
    num_inserted_ = 0;
    next_absent_ = 0;
    bool is_exercised = false;
    for (LoadTest& test : tests_) {
      if (!test.needs_false_positives(trial_) && !test.needs_fill(trial_)) continue;
      if (!insert_up_to(test.num_keys())) return leave_out_from(test.num_keys());
      if (!is_exercised) exercise();
      is_exercised = true;
      measure_load(test);
      // Measuring the fills at the other loads needs little time and helps to identify the error.
      if (is_rejected() && !(verdict_.accepted() && verdict_.reports_fill)) return;
    }
  }

  /// Inserts keys in batches, so that 10^9 keys need little memory. Returns false if the filter
  /// becomes full.
  bool insert_up_to(std::uint64_t num_keys) {
    const std::uint64_t added = num_keys - num_inserted_;
    const std::uint64_t merged = settings_.exercises.merge ? added / 2 : 0;
    while (num_inserted_ < num_keys - merged) {
      const std::uint64_t size =
          std::min<std::uint64_t>(num_keys - merged - num_inserted_, Subject::kMaxBatch);
      if (!subject_.insert(next_members(size))) return false;
    }
    return merged == 0 || subject_.merge(next_members(merged));
  }

  std::vector<std::uint64_t> next_members(std::uint64_t count) {
    std::vector<std::uint64_t> items(count);
    for (std::uint64_t& item : items) {
      item = item_number(KeyRole::kMember, num_inserted_++, trial_);
    }
    note_sent(count);
    return items;
  }

  /// Excludes the load of num_keys keys and all larger loads, because the filter is full. The
  /// tests ignore the queries of new absent keys at an excluded load.
  void leave_out_from(std::uint64_t num_keys) {
    if (num_keys <= claim_.num_keys) {
      verdict_.is_full_too_early = true;
      verdict_.reasons.push_back(
          fmt::format("the filter is full before it contains {} of the {} claimed keys",
                      grouped(num_keys), grouped(claim_.num_keys)));
    }
    for (LoadTest& test : tests_) {
      if (test.num_keys() >= num_keys) test.leave_out("the subject answered 'full'");
    }
  }

  void exercise() {
    const ExercisedFilter filter{.trial = trial_,
                                 .num_keys = num_inserted_,
                                 .free_member = tests_.back().num_keys(),
                                 .free_absent = next_absent_};
    if (settings_.exercises.erase) {
      const EraseAnswers answers = exercise_erase(subject_, filter);
      next_absent_ += answers.num_absent_used;
      verdict_.num_refused_erases += answers.num_refused;
      verdict_.num_wrongful_erases += answers.num_wrongful;
      add_erase_reasons(verdict_);
    }
    if (settings_.exercises.saturation) exercise_saturation(subject_, filter);
  }

  void measure_load(LoadTest& test) {
    test.begin_filter();
    if (verdict_.reports_fill) test.observe_fill(subject_.fill());
    if (!is_rejected() && test.needs_false_positives(trial_)) query(test);
  }

  void query(LoadTest& test) {
    FilterQueries queries(
        subject_,
        {.trial = trial_, .num_inserted = num_inserted_, .num_queried = num_members_queried(test)},
        next_absent_, SeedSequence(settings_.seed).seed("order", num_load(test), trial_));
    const std::uint64_t num_queries = test.plan().num_queries;
    std::uint64_t num_queried = 0;
    std::size_t batch = settings_.sequential ? kFirstBatch : Subject::kMaxBatch;
    const auto num_left = [&] {
      return test.needs_false_positives(trial_) ? num_queries - num_queried : 0;
    };
    while (!is_rejected() && (queries.has_members_left() || num_left() > 0)) {
      const FilterQueries::Answers answers = queries.send_mixed(batch, num_left());
      num_queried += answers.num_queries;
      record(answers, test);
      batch = std::min(2 * batch, Subject::kMaxBatch);
    }
    if (!is_rejected()) record(queries.repeat(), test);
    next_absent_ = queries.next_absent();
  }

  [[nodiscard]] std::string num_load(const LoadTest& test) const {
    return std::to_string(&test - tests_.data());
  }

  void record(const FilterQueries::Answers& answers, LoadTest& test) {
    verdict_.num_queries += answers.num_queries;
    verdict_.num_false_positives += answers.num_false_positives;
    verdict_.num_member_queries += answers.num_member_queries;
    verdict_.num_false_negatives += answers.num_lost;
    verdict_.num_repeats += answers.num_repeats;
    verdict_.num_changed_answers += answers.num_changed;
    add_answer_reasons(answers, verdict_.num_filters, test.num_keys(), verdict_);
    if (answers.num_queries > 0)
      test.observe_false_positives(answers.num_false_positives, answers.num_queries);
    note_sent(answers.num_keys());
  }

  void conclude() {
    const bool was_stopped = is_rejected();
    for (const LoadTest& test : tests_) verdict_.loads.push_back(test.verdict(was_stopped));
    verdict_.undecided = true;  // stays true if all loads are excluded
    for (const LoadVerdict& load : verdict_.loads) {
      if (load.left_out.empty()) verdict_.undecided = false;
    }
    for (const LoadVerdict& load : verdict_.loads) {
      if (load.outcome == LoadVerdict::Outcome::kOpen) verdict_.undecided = true;
      for (const auto& p_value : {load.p_value, load.fill_p_value}) {
        if (p_value && load.left_out.empty()) note_p_value(*p_value);
      }
    }
    const bool is_known = !verdict_.accepted();
    add_load_reasons(verdict_);
    if (!verdict_.accepted()) verdict_.undecided = false;
    if (!is_known && !verdict_.accepted()) verdict_.hint = likely_cause(claim_, verdict_.loads);
  }

  /// Updates the overall p-value, with Bonferroni's correction over all tests.
  void note_p_value(double p_value) {
    const auto num_tests = static_cast<double>(tests_.size() * (verdict_.reports_fill ? 2 : 1));
    verdict_.p_value = std::min(verdict_.p_value.value_or(1.0), std::min(1.0, num_tests * p_value));
  }

  void note_sent(std::uint64_t num_keys) {
    progress_.num_keys_sent += num_keys;
    if (show_) show_(progress_);
  }

  Subject& subject_;
  const Claim& claim_;
  const SubjectSettings& settings_;
  const ShowSubjectProgress& show_;
  std::vector<LoadTest> tests_;  // sorted by number of keys
  SubjectVerdict verdict_;
  SubjectProgress progress_;
  std::uint64_t trial_ = 0;
  std::uint64_t num_inserted_ = 0;  // number of keys in the current filter
  std::uint64_t next_absent_ = 0;   // index of the current filter's next absent key
};

}  // namespace

std::string SubjectVerdict::why() const {
  return joined(reasons, {}, "; ") + (hint.empty() ? "" : "; " + hint);
}

SubjectVerdict judge_subject(Subject& subject, const Claim& claim, const SubjectSettings& settings,
                             const ShowSubjectProgress& show) {
  SubjectVerdict verdict = Judge(subject, claim, settings, show).run();
  if (verdict.accepted()) subject.finish();
  return verdict;
}

}  // namespace bloometry
