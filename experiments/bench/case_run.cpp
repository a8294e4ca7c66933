#include "experiments/bench/run_bench.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "core/random/seed_sequence.hpp"
#include "experiments/bench/stopwatch.hpp"
#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry::bench {
namespace {

using Clock = std::chrono::steady_clock;

double ns_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

/// Ends a run that was interrupted; caught in run_bench.
struct Interrupted {};

/// A subject while its case runs.
struct Entrant {
  std::unique_ptr<Subject> subject;
  SubjectResult result{};
  std::map<std::pair<Op, Call>, Tally> tallies{};
  std::array<Tally, kAllFloors.size()> floor_tallies{};
};

/// What is told while it runs.
class Meter {
 public:
  Meter(const std::atomic<bool>& interrupted,
        const std::function<void(const BenchProgress&)>& observe)
      : interrupted_(interrupted), observe_(observe) {}

  void plan(std::uint64_t num_steps, std::uint64_t num_keys) {
    progress_.num_steps += num_steps;
    progress_.num_keys_planned += num_keys;
  }

  void add_keys(std::uint64_t num_keys) {
    progress_.num_keys += num_keys;
    if (interrupted_) throw Interrupted{};
  }

  void add_steps(std::uint64_t num_steps) { progress_.num_steps_done += num_steps; }

  /// A few times a second.
  void tell() {
    const Clock::time_point now = Clock::now();
    if (now - told_ < std::chrono::milliseconds(200) && !is_done()) return;
    told_ = now;
    progress_.elapsed_s = ns_between(started_, now) / 1e9;
    observe_(progress_);
  }

 private:
  const std::atomic<bool>& interrupted_;
  const std::function<void(const BenchProgress&)>& observe_;
  BenchProgress progress_{};

  [[nodiscard]] bool is_done() const { return progress_.num_steps_done == progress_.num_steps; }

  Clock::time_point started_ = Clock::now();
  Clock::time_point told_{};
};

class CaseRun {
 public:
  CaseRun(const BenchPlan& plan, const BenchCase& bench_case, Meter& meter)
      : plan_(plan),
        case_(bench_case),
        lives_(plan_lives(bench_case.num_keys, plan.settings.num_queries)),
        keys_(SeedSequence(plan.settings.seed).seed("keys", "bench", 0)),
        block_(bench_case.keys),
        floor_(largest_num_bits(bench_case)),
        meter_(meter) {
    for (const SubjectPlan& subject : bench_case.plans) {
      entrants_.push_back({.subject = subject.build(), .result = {.plan = subject}});
    }
  }

  /// Keys inserted, asked (the floor too) and erased by all subjects of a case.
  static std::uint64_t num_keys_of(const BenchPlan& plan, const BenchCase& bench_case) {
    std::uint64_t num_keys = 0;
    for (const SubjectPlan& subject : bench_case.plans) {
      num_keys += num_keys_of_life(plan, subject, bench_case.num_keys);
    }
    return num_keys * plan.settings.num_repetitions *
           plan_lives(bench_case.num_keys, plan.settings.num_queries).num_lives;
  }

  CaseResult run() {
    for (std::uint64_t i = 0; i < plan_.settings.num_repetitions; ++i) {
      for (std::uint64_t j = 0; j < lives_.num_lives; ++j) live();
      for (Entrant& entrant : entrants_) finish_repetition(entrant);
      meter_.add_steps(entrants_.size());
      meter_.tell();
    }
    CaseResult result{.num_keys = case_.num_keys,
                      .keys = case_.keys,
                      .lives = lives_,
                      .subjects = {},
                      .refused = case_.refused,
                      .sum_of_lines = sum_of_lines_};
    for (Entrant& entrant : entrants_) result.subjects.push_back(std::move(entrant.result));
    return result;
  }

 private:
  static std::vector<Op> query_ops(const BenchPlan& plan) {
    std::vector<Op> ops;
    std::copy_if(plan.ops.begin(), plan.ops.end(), std::back_inserter(ops),
                 [](Op op) { return !is_update(op); });
    return ops;
  }

  static std::uint64_t num_keys_of_life(const BenchPlan& plan, const SubjectPlan& subject,
                                        std::uint64_t num_keys) {
    const std::uint64_t num_queries = plan_lives(num_keys, plan.settings.num_queries).num_queries;
    const std::uint64_t num_passes =
        query_ops(plan).size() * (subject.has_batch ? 2 : 1) + kAllFloors.size();
    const std::uint64_t num_fillings = is_asked(plan, Op::kErase) && subject.can_erase ? 2 : 1;
    return num_fillings * num_keys + num_passes * (num_queries + num_queries / kWarmUpShare);
  }

  static std::uint64_t largest_num_bits(const BenchCase& bench_case) {
    std::uint64_t most = 0;
    for (const SubjectPlan& plan : bench_case.plans) most = std::max(most, plan.num_bits);
    return most;
  }

  static bool is_asked(const BenchPlan& plan, Op op) {
    return std::find(plan.ops.begin(), plan.ops.end(), op) != plan.ops.end();
  }

  void live() {
    const Life life = next_life(numbers_, case_.num_keys, lives_, query_ops(plan_));
    const MemberOrder members(life.members);
    turn_ = num_lives_;
    each([&](Entrant& entrant) { fill(entrant, life.members); });
    for (const QueryPass& pass : life.passes) {
      each([&](Entrant& entrant) { ask(entrant, pass, members); });
    }
    for (const Floor floor : kAllFloors) each([&](Entrant& entrant) { touch(entrant, floor); });
    if (is_asked(plan_, Op::kErase)) {
      each([&](Entrant& entrant) { empty(entrant, life.members, members); });
    }
    ++num_lives_;
  }

  /// One pass of all subjects; another one first with each pass, and in each life.
  template <class Visit>
  void each(Visit visit) {
    for (const std::size_t i : rotated_order(entrants_.size(), turn_++)) visit(entrants_[i]);
    meter_.tell();
  }

  /// Inserts and erases alternate their calls block by block, so that both see the filter at every
  /// fill; which comes first changes from life to life.
  [[nodiscard]] Call alternate(const Entrant& entrant, std::uint64_t block) const {
    if (!entrant.result.plan.has_batch) return Call::kSingle;
    return (block + num_lives_) % 2 == 0 ? Call::kSingle : Call::kBatch;
  }

  /// Makes the keys of numbers that `write` writes, off the clock.
  template <class Write>
  void make_block(std::uint64_t size, Write write) {
    const std::span<std::uint64_t> numbers = block_.resize(size);
    write(numbers);
    for (std::uint64_t& number : numbers) number = keys_.value(number);
    block_.finish();
    meter_.add_keys(size);
  }

  /// Calls work(keys) with the block.
  template <class Work>
  Lap timed_block(Work work) {
    return timed([&] { block_.visit(work); });
  }

  template <class Use>
  void for_each_block(std::uint64_t size, std::uint64_t block_keys, Use use) {
    for (std::uint64_t from = 0; from < size; from += block_keys) {
      use(from, std::min(block_keys, size - from));
    }
  }

  /// Blocks of a filling: four at least, so that both calls have some.
  [[nodiscard]] std::uint64_t update_block_keys() const {
    return std::min<std::uint64_t>(kBlockKeys, case_.num_keys / 4);
  }

  void fill(Entrant& entrant, NumberRange members) {
    Subject& subject = *entrant.subject;
    subject.clear();
    for_each_block(members.size, update_block_keys(), [&](std::uint64_t from, std::uint64_t size) {
      make_block(size, [&](auto numbers) {
        for (std::uint64_t i = 0; i < size; ++i) numbers[i] = members.first + from + i;
      });
      const Call call = alternate(entrant, from / update_block_keys());
      const Lap lap = timed_block([&](auto keys) { subject.insert(keys, call); });
      if (is_asked(plan_, Op::kInsert)) entrant.tallies[{Op::kInsert, call}].add(lap, size);
    });
    entrant.result.num_bits = subject.num_bits();
  }

  /// A warm-up and its timed queries belong together: no other subject comes between.
  void ask(Entrant& entrant, const QueryPass& pass, const MemberOrder& members) {
    const Call call = pass.timed.call;
    if (call == Call::kBatch && !entrant.result.plan.has_batch) return;
    ask(entrant, pass.warm_up, members);
    const Tally tally = ask(entrant, pass.timed, members);
    entrant.tallies[{pass.timed.op, call}].add(tally);
  }

  Tally ask(Entrant& entrant, const Queries& queries, const MemberOrder& members) {
    Tally tally;
    std::uint64_t num_positives = 0;
    for_each_block(queries.num_queries, kBlockKeys, [&](std::uint64_t from, std::uint64_t size) {
      make_block(size, [&](auto numbers) { queries.write(from, members, numbers); });
      const Lap lap = timed_block([&](auto keys) {
        num_positives += entrant.subject->count_positives(keys, queries.call);
      });
      tally.add(lap, size);
    });
    count(entrant.result, queries, num_positives);
    return tally;
  }

  /// The answers are results too: the rate stands beside the time.
  static void count(SubjectResult& result, const Queries& queries, std::uint64_t num_positives) {
    if (queries.op == Op::kNegative) {
      result.num_absent_queries += queries.num_queries;
      result.num_false_positives += num_positives;
    } else if (queries.op == Op::kPositive) {
      result.num_false_negatives += queries.num_queries - num_positives;
    }
  }

  void touch(Entrant& entrant, Floor floor) {
    touch(entrant, floor, lives_.num_queries / kWarmUpShare);
    entrant.floor_tallies[static_cast<std::size_t>(floor)].add(
        touch(entrant, floor, lives_.num_queries));
  }

  /// Block by block, as filters are asked.
  Tally touch(const Entrant& entrant, Floor floor, std::uint64_t num_keys) {
    Tally tally;
    for_each_block(num_keys, kBlockKeys, [&](std::uint64_t, std::uint64_t size) {
      const std::uint64_t first = floor_numbers_.take(size).first;
      tally.add(timed([&] {
                  sum_of_lines_ |= floor_.touch(floor, entrant.result.num_bits, first, size);
                }),
                size);
      meter_.add_keys(size);
    });
    return tally;
  }

  void empty(Entrant& entrant, NumberRange range, const MemberOrder& members) {
    if (!entrant.result.plan.can_erase) return;
    for_each_block(range.size, update_block_keys(), [&](std::uint64_t from, std::uint64_t size) {
      make_block(size, [&](auto numbers) {
        for (std::uint64_t i = 0; i < size; ++i) numbers[i] = members.at(from + i);
      });
      const Call call = alternate(entrant, from / update_block_keys());
      std::uint64_t num_erased = 0;
      const Lap lap =
          timed_block([&](auto keys) { num_erased = entrant.subject->erase(keys, call); });
      entrant.tallies[{Op::kErase, call}].add(lap, size);
      entrant.result.num_refused_erases += size - num_erased;
    });
  }

  static void finish_repetition(Entrant& entrant) {
    SubjectResult& result = entrant.result;
    const auto finish = [&](Tally& tally, Repetitions& repetitions) {
      repetitions.push_back(tally.ns_per_key());
      result.num_laps += tally.num_laps();
      result.num_preempted_laps += tally.num_preempted_laps();
      tally = {};
    };
    for (auto& [figure, tally] : entrant.tallies) finish(tally, result.ns_per_key[figure]);
    for (std::size_t i = 0; i < kAllFloors.size(); ++i) {
      finish(entrant.floor_tallies[i], result.floor_ns[i]);
    }
  }

  const BenchPlan& plan_;
  const BenchCase& case_;
  LifePlan lives_;
  RandomKeys keys_;
  KeyBlock block_;
  FloorArray floor_;
  Meter& meter_;
  NumberSource numbers_;
  NumberSource floor_numbers_;  // its own, so that keys do not depend on who takes part
  std::vector<Entrant> entrants_;
  std::uint64_t turn_ = 0;  // who comes first in the next pass
  std::uint64_t num_lives_ = 0;
  std::uint64_t sum_of_lines_ = 0;
};

}  // namespace

BenchResult run_bench(const BenchPlan& plan, const std::atomic<bool>& interrupted,
                      const std::function<void(const BenchProgress&)>& observe) {
  BenchResult result{.plan = plan, .cases = {}};
  Meter meter(interrupted, observe);
  for (const BenchCase& bench_case : plan.cases) {
    meter.plan(plan.settings.num_repetitions * bench_case.plans.size(),
               CaseRun::num_keys_of(plan, bench_case));
  }
  try {
    for (const BenchCase& bench_case : plan.cases) {
      result.cases.push_back(CaseRun(plan, bench_case, meter).run());
    }
  } catch (const Interrupted&) {
    result.was_interrupted = true;
  }
  return result;
}

}  // namespace bloometry::bench
