#include "experiments/subject/judge_subject.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/statistics/significance.hpp"
#include "core/statistics/total_hits_test.hpp"
#include "experiments/workload/item_number.hpp"

namespace bloometry {
namespace {

using statistics::SequentialTest;
using Items = std::vector<std::uint64_t>;

constexpr std::uint64_t kFirstBatch = 64;  // of a sequential test: gross errors show in a few
constexpr std::uint64_t kSequentialFilters = 4;
constexpr std::uint64_t kMaxAbsentErases = 1000;
constexpr int kExtraInserts = 20;  // theory 3.1: sticky finds the key after 15 erases,
constexpr int kExtraErases = 15;   // clamping and wrapping do not

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

Items items(KeyRole role, std::uint64_t trial, std::uint64_t first, std::uint64_t count) {
  Items result(count);
  for (std::uint64_t i = 0; i < count; ++i) result[i] = item_number(role, first + i, trial);
  return result;
}

/// One filter after the other, up to the end of the plan or a decision.
class Judge {
 public:
  Judge(Subject& subject, const Claim& claim, const SubjectSettings& settings,
        const ShowSubjectProgress& show)
      : subject_(subject),
        claim_(claim),
        settings_(settings),
        show_(show),
        sequential_(claim.rates, {.false_alarm = settings.goal.false_alarm,
                                  .deviation = settings.goal.deviation,
                                  .miss = settings.goal.miss}) {
    verdict_.plan =
        plan_measurement(claim.rates, settings.goal, settings.num_filters, settings.num_queries);
    num_members_asked_ = std::min(claim.num_keys, settings.max_member_queries);
    progress_.num_filters =
        verdict_.plan.num_filters * (settings.sequential ? kSequentialFilters : 1);
    progress_.num_keys_planned =
        progress_.num_filters * (claim.num_keys + num_members_asked_ + verdict_.plan.num_queries);
  }

  SubjectVerdict run() {
    for (trial_ = 0; trial_ < progress_.num_filters && !is_decided(); ++trial_) {
      measure_filter();
      ++progress_.num_filters_done;
    }
    conclude();
    return verdict_;
  }

 private:
  [[nodiscard]] bool is_decided() const {
    if (!verdict_.why.empty()) return true;
    return settings_.sequential && sequential_.decision() != SequentialTest::Decision::kOpen;
  }

  void measure_filter() {
    ++verdict_.num_filters;
    subject_.begin(claim_.num_keys, claim_.num_cells, claim_.num_hashes);
    if (settings_.sequential && trial_ > 0) sequential_.begin_filter();
    fill();
    if (settings_.exercises.erase) exercise_erase();
    if (settings_.exercises.saturation) exercise_saturation();
    ask_members();
    if (is_decided()) return;
    ask_absent_keys();
  }

  void fill() {
    const std::uint64_t merged = settings_.exercises.merge ? claim_.num_keys / 2 : 0;
    insert(0, claim_.num_keys - merged);
    if (merged == 0) return;
    subject_.merge(items(KeyRole::kMember, trial_, claim_.num_keys - merged, merged));
    note_sent(merged);
  }

  /// In pieces, so that 10^9 keys need no memory.
  void insert(std::uint64_t first, std::uint64_t count) {
    while (count > 0) {
      const std::uint64_t size = std::min<std::uint64_t>(count, Subject::kMaxBatch);
      subject_.insert(items(KeyRole::kMember, trial_, first, size));
      note_sent(size);
      first += size;
      count -= size;
    }
  }

  /// Keys that were inserted go again; keys that the filter calls absent must not be erased.
  void exercise_erase() {
    const std::uint64_t extra = claim_.num_keys / 4 + 1;
    insert(claim_.num_keys, extra);
    for (std::uint64_t done = 0; done < extra;) {
      const std::uint64_t size = std::min<std::uint64_t>(extra - done, Subject::kMaxBatch);
      const std::string answer =
          subject_.erase(items(KeyRole::kMember, trial_, claim_.num_keys + done, size));
      verdict_.num_refused_erases +=
          static_cast<std::uint64_t>(std::count(answer.begin(), answer.end(), '0'));
      done += size;
    }
    if (verdict_.num_refused_erases > 0) {
      add_reason(std::to_string(verdict_.num_refused_erases) +
                 " keys that had been inserted were not erased");
    }
    erase_absent_keys();
  }

  void erase_absent_keys() {
    // Beyond all that is queried later.
    const Items asked =
        items(KeyRole::kQuery, trial_, verdict_.plan.num_queries,
              std::min({claim_.num_keys, kMaxAbsentErases, std::uint64_t{Subject::kMaxBatch}}));
    const std::string found = subject_.query(asked);
    Items absent;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (found[i] == '0') absent.push_back(asked[i]);
    }
    if (absent.empty()) return;
    const std::string erased = subject_.erase(absent);
    verdict_.num_wrongful_erases +=
        static_cast<std::uint64_t>(std::count(erased.begin(), erased.end(), '1'));
    if (verdict_.num_wrongful_erases > 0) {
      add_reason(std::to_string(verdict_.num_wrongful_erases) +
                 " keys that the filter calls absent were erased");
    }
  }

  void exercise_saturation() {
    const Items one = items(KeyRole::kMember, trial_, 0, 1);
    for (int i = 0; i < kExtraInserts; ++i) subject_.insert(one);
    for (int i = 0; i < kExtraErases; ++i) static_cast<void>(subject_.erase(one));
  }

  /// All members, or as many as are allowed at equal distances, the first and the last among them.
  void ask_members() {
    const std::uint64_t count = num_members_asked_;
    std::uint64_t num_lost = 0;
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t size = std::min<std::uint64_t>(count - done, Subject::kMaxBatch);
      Items asked(size);
      for (std::uint64_t i = 0; i < size; ++i) {
        asked[i] = item_number(KeyRole::kMember, member_index(done + i), trial_);
      }
      const std::string found = subject_.query(asked);
      num_lost += static_cast<std::uint64_t>(std::count(found.begin(), found.end(), '0'));
      verdict_.num_member_queries += size;
      note_sent(size);
      done += size;
    }
    if (num_lost == 0) return;
    verdict_.num_false_negatives += num_lost;
    add_reason(std::to_string(num_lost) + " of " + std::to_string(count) + " members of filter " +
               std::to_string(verdict_.num_filters) + " are not found: false negatives");
  }

  [[nodiscard]] std::uint64_t member_index(std::uint64_t i) const {
    const std::uint64_t last = claim_.num_keys - 1;
    if (num_members_asked_ < 2) return 0;
    const double share = static_cast<double>(i) / static_cast<double>(num_members_asked_ - 1);
    return num_members_asked_ == claim_.num_keys
               ? i
               : std::min(last, static_cast<std::uint64_t>(share * static_cast<double>(last)));
  }

  void ask_absent_keys() {
    std::uint64_t batch = settings_.sequential ? kFirstBatch : Subject::kMaxBatch;
    for (std::uint64_t done = 0; done < verdict_.plan.num_queries && !is_decided();) {
      const std::uint64_t size = std::min(verdict_.plan.num_queries - done, batch);
      const std::string found = subject_.query(items(KeyRole::kQuery, trial_, done, size));
      const auto hits = static_cast<std::uint64_t>(std::count(found.begin(), found.end(), '1'));
      verdict_.num_hits += hits;
      verdict_.num_queries += size;
      if (settings_.sequential) sequential_.observe(hits, size);
      note_sent(size);
      done += size;
      batch = std::min<std::uint64_t>(2 * batch, Subject::kMaxBatch);
    }
  }

  void conclude() {
    // Stopped by a reason that needs no statistics: the hits so far prove nothing more.
    if (!verdict_.why.empty()) return;
    if (settings_.sequential) return conclude_sequential();
    const statistics::TotalHitsTest test(claim_.rates, verdict_.plan.num_filters,
                                         verdict_.plan.num_queries);
    verdict_.p_value = test.two_sided_p_value(verdict_.num_hits);
    if (*verdict_.p_value < settings_.goal.false_alarm) add_hits_reason();
  }

  void conclude_sequential() {
    verdict_.p_value = sequential_.p_value();
    switch (sequential_.decision()) {
      case SequentialTest::Decision::kRejected:
        verdict_.decided_by = "the evidence against the claim";
        return add_hits_reason();
      case SequentialTest::Decision::kAccepted:
        verdict_.decided_by =
            "a deviation of " + number(100 * settings_.goal.deviation) + " % is excluded";
        return;
      case SequentialTest::Decision::kOpen:
        verdict_.undecided = verdict_.accepted();
        verdict_.decided_by = "the end of the queries: neither the claim nor a deviation of " +
                              number(100 * settings_.goal.deviation) + " % is excluded";
        return;
    }
  }

  void add_hits_reason() {
    const double expected = static_cast<double>(verdict_.num_queries) * claim_.expected_rate;
    add_reason(std::to_string(verdict_.num_hits) + " of " + std::to_string(verdict_.num_queries) +
               " absent keys tested positive, expected " + number(expected) + " (" +
               number(static_cast<double>(verdict_.num_hits) / expected) +
               " times as many, p <= " + number(*verdict_.p_value) + ")");
  }

  void add_reason(const std::string& reason) {
    verdict_.why.append(verdict_.why.empty() ? "" : "; ").append(reason);
  }

  void note_sent(std::uint64_t num_keys) {
    progress_.num_keys_sent += num_keys;
    if (show_) show_(progress_);
  }

  Subject& subject_;
  const Claim& claim_;
  const SubjectSettings& settings_;
  const ShowSubjectProgress& show_;
  SequentialTest sequential_;
  SubjectVerdict verdict_;
  SubjectProgress progress_;
  std::uint64_t num_members_asked_ = 0;
  std::uint64_t trial_ = 0;
};

}  // namespace

SubjectVerdict judge_subject(Subject& subject, const Claim& claim, const SubjectSettings& settings,
                             const ShowSubjectProgress& show) {
  return Judge(subject, claim, settings, show).run();
}

}  // namespace bloometry
