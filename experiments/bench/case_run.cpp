#include "experiments/bench/case_run.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "core/statistics/seed_sequence.hpp"
#include "experiments/bench/thread_rounds.hpp"

namespace bloometry::bench {
namespace {

bool is_requested(const BenchPlan& plan, Op op) {
  return std::find(plan.ops.begin(), plan.ops.end(), op) != plan.ops.end();
}

std::vector<Op> query_ops_of(const BenchPlan& plan) {
  std::vector<Op> ops;
  std::copy_if(plan.ops.begin(), plan.ops.end(), std::back_inserter(ops),
               [](Op op) { return !is_update(op); });
  return ops;
}

BuildPlan builds_of(const BenchPlan& plan, const BenchCase& bench_case) {
  return plan_builds(bench_case.num_keys, plan.settings.num_queries, plan.settings.threads.size());
}

/// Returns whether several threads fill the target in an additional pass.
bool is_filled_by_threads(const BenchPlan& plan, const TargetPlan& target) {
  return target.is_concurrent && is_requested(plan, Op::kInsert);
}

std::uint64_t num_keys_of_build(const BenchPlan& plan, const TargetPlan& target,
                                std::uint64_t num_keys, std::uint64_t num_queries) {
  const std::uint64_t num_thread_counts = plan.settings.threads.size();
  const std::uint64_t num_passes =
      query_ops_of(plan).size() * (target.has_batch ? 2 : 1) * num_thread_counts +
      kAllFloors.size();
  const std::uint64_t num_fillings = (is_filled_by_threads(plan, target) ? num_thread_counts : 1) +
                                     (is_requested(plan, Op::kErase) && target.can_erase ? 1 : 0);
  return num_fillings * num_keys + num_passes * (num_queries + num_queries / kWarmUpShare);
}

std::uint64_t largest_num_bits(const BenchCase& bench_case) {
  std::uint64_t most = 0;
  for (const TargetPlan& plan : bench_case.plans) most = std::max(most, plan.num_bits);
  return most;
}

template <class Use>
void for_each_block(std::uint64_t size, std::uint64_t block_keys, Use use) {
  for (std::uint64_t from = 0; from < size; from += block_keys) {
    use(from, std::min(block_keys, size - from));
  }
}

/// Returns the number of keys per block of a filling. A filling has at least four blocks, so that
/// single and batch calls each process some blocks.
std::uint64_t update_block_keys(std::uint64_t num_keys, unsigned num_threads = 1) {
  return std::clamp<std::uint64_t>(num_keys / (4 * num_threads), 1, kBlockKeys);
}

/// Returns the time of the call work(keys) with the keys of the block.
template <class Work>
Lap timed_block(const KeyBlock& block, Work work) {
  return timed([&] { block.visit(work); });
}

/// Adds the positives of a block to the result, so that the rate of the timed filter is known.
void count(TargetResult& result, Op op, std::uint64_t num_queries, std::uint64_t num_positives) {
  if (op == Op::kNegative) {
    result.num_absent_queries += num_queries;
    result.num_false_positives += num_positives;
  } else if (op == Op::kPositive) {
    result.num_false_negatives += num_queries - num_positives;
  }
}

/// Adds a repetition's time to the repetitions, and resets the tally for the next repetition.
void finish(Tally& tally, TargetResult& result, Repetitions& repetitions) {
  repetitions.push_back(tally.ns_per_key());
  result.num_laps += tally.num_laps();
  result.num_preempted_laps += tally.num_preempted_laps();
  tally = {};
}

}  // namespace

CaseRun::CaseRun(const BenchPlan& plan, const BenchCase& bench_case, BenchMeter& meter)
    : plan_(plan),
      case_(bench_case),
      builds_(builds_of(plan, bench_case)),
      query_ops_(query_ops_of(plan)),
      keys_(kind_of(bench_case.keys) == KeyKind::kString ? "random" : bench_case.keys,
            SeedSequence(plan.settings.seed).seed("keys", "bench", 0)),
      floor_(largest_num_bits(bench_case)),
      meter_(meter) {
  for (unsigned i = 0; i < plan.settings.threads.back(); ++i) {
    blocks_.push_back(std::make_unique<KeyBlock>(kind_of(bench_case.keys)));
  }
  for (const TargetPlan& target : bench_case.plans) {
    entrants_.push_back({.target = target.build(), .result = {.plan = target}});
  }
}

std::uint64_t CaseRun::num_keys_of_repetition(const BenchPlan& plan, const BenchCase& bench_case) {
  const BuildPlan builds = builds_of(plan, bench_case);
  std::uint64_t num_keys = 0;
  for (const TargetPlan& target : bench_case.plans) {
    num_keys += num_keys_of_build(plan, target, bench_case.num_keys, builds.num_queries);
  }
  return num_keys * builds.num_builds;
}

CaseResult CaseRun::empty_result(const BenchPlan& plan, const BenchCase& bench_case) {
  CaseResult result{.num_keys = bench_case.num_keys,
                    .keys = bench_case.keys,
                    .builds = builds_of(plan, bench_case),
                    .refused = bench_case.refused};
  for (const TargetPlan& target : bench_case.plans) result.targets.push_back({.plan = target});
  return result;
}

void CaseRun::run(CaseResult& result, const std::function<void()>& keep) {
  for (std::size_t i = 0; i < entrants_.size(); ++i) entrants_[i].result = result.targets[i];
  skip(result.num_repetitions);
  bool is_first = true;
  while (result.num_repetitions < plan_.settings.num_repetitions) {
    for (std::uint64_t i = 0; i < builds_.num_builds; ++i)
      run_build(case_.num_keys, builds_.num_queries);
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      Entrant& entrant = entrants_[i];
      for (auto& [figure, tally] : entrant.tallies) {
        finish(tally, entrant.result, entrant.result.ns_per_key[figure]);
      }
      for (std::size_t j = 0; j < kAllFloors.size(); ++j) {
        finish(entrant.floor_tallies[j], entrant.result, entrant.result.floor_ns[j]);
      }
      result.targets[i] = entrant.result;
    }
    result.sum_of_lines = sum_of_lines_;
    ++result.num_repetitions;
    if (std::exchange(is_first, false)) result.run_repetitions.push_back(0);
    ++result.run_repetitions.back();
    keep();
    meter_.add_steps(entrants_.size());
    meter_.tell();
  }
}

double CaseRun::seconds_of_build(double share) {
  const auto scaled = [share](std::uint64_t number) {
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(number) * share),
                                   1);
  };
  const auto begin = std::chrono::steady_clock::now();
  run_build(scaled(case_.num_keys), scaled(builds_.num_queries));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Skips the key numbers of earlier repetitions.
void CaseRun::skip(std::uint64_t num_repetitions) {
  num_builds_ = num_repetitions * builds_.num_builds;
  for (std::uint64_t i = 0; i < num_builds_; ++i) {
    static_cast<void>(next_build(numbers_, case_.num_keys, builds_.num_queries, query_ops_,
                                 plan_.settings.threads));
  }
  floor_numbers_.next(num_builds_ * entrants_.size() * kAllFloors.size() *
                      (builds_.num_queries + builds_.num_queries / kWarmUpShare));
}

void CaseRun::run_build(std::uint64_t num_keys, std::uint64_t num_queries) {
  const Build build =
      next_build(numbers_, num_keys, num_queries, query_ops_, plan_.settings.threads);
  const MemberOrder members(build.members);
  turn_ = num_builds_;
  each([&](Entrant& entrant) { fill(entrant, build.members); });
  auto pass = build.passes.begin();
  for (const unsigned num_threads : plan_.settings.threads) {
    if (num_threads > 1) {
      each([&](Entrant& entrant) { fill(entrant, build.members, num_threads); });
    }
    for (; pass != build.passes.end() && pass->num_threads == num_threads; ++pass) {
      each([&](Entrant& entrant) { query(entrant, *pass, members); });
    }
  }
  for (const Floor floor : kAllFloors) {
    each([&](Entrant& entrant) { touch(entrant, floor, num_queries); });
  }
  if (is_requested(plan_, Op::kErase)) {
    each([&](Entrant& entrant) { empty(entrant, build.members, members); });
  }
  ++num_builds_;
}

/// Calls visit for each target once. The first target changes with each pass and each build.
template <class Visit>
void CaseRun::each(Visit visit) {
  for (const std::size_t i : rotated_order(entrants_.size(), turn_++)) visit(entrants_[i]);
  meter_.tell();
}

/// Returns the kind of call for a block. Blocks of single calls and blocks of batch calls
/// alternate, so that both kinds are measured at every fill of the filter. The kind of the first
/// block changes from build to build.
Call CaseRun::alternate(const Entrant& entrant, std::uint64_t block) const {
  if (!entrant.result.plan.has_batch) return Call::kSingle;
  return (block + num_builds_) % 2 == 0 ? Call::kSingle : Call::kBatch;
}

/// Fills the block with keys. The function `write` writes the key numbers. The time of this
/// function is not measured.
template <class Write>
void CaseRun::make_block(KeyBlock& block, std::uint64_t size, Write write) const {
  const std::span<std::uint64_t> numbers = block.resize(size);
  write(numbers);
  for (std::uint64_t& number : numbers) number = keys_.value(number);
  block.finish();
}

void CaseRun::fill(Entrant& entrant, NumberRange members) {
  entrant.target->clear();
  const std::uint64_t block_keys = update_block_keys(members.size);
  for_each_block(members.size, block_keys, [&](std::uint64_t from, std::uint64_t size) {
    insert(entrant, alternate(entrant, from / block_keys), {members.first + from, size});
  });
  entrant.result.num_bits = entrant.target->num_bits();
}

/// Inserts one block of keys and adds its time to the tally of the call.
void CaseRun::insert(Entrant& entrant, Call call, NumberRange keys) {
  KeyBlock& block = *blocks_.front();
  make_block(block, keys.size,
             [&](auto numbers) { std::iota(numbers.begin(), numbers.end(), keys.first); });
  meter_.add_keys(keys.size);
  const Lap lap =
      timed_block(block, [&](auto block_of_keys) { entrant.target->insert(block_of_keys, call); });
  if (is_requested(plan_, Op::kInsert)) entrant.tallies[{Op::kInsert, call}].add(lap, keys.size);
}

/// Inserts the same members again with several threads at the same time. One thread inserts,
/// without timing, the members that do not fill a block for each thread.
void CaseRun::fill(Entrant& entrant, NumberRange members, unsigned num_threads) {
  if (!is_filled_by_threads(plan_, entrant.result.plan)) return;
  BenchmarkTarget& target = *entrant.target;
  target.clear();
  const std::uint64_t block_keys = update_block_keys(members.size, num_threads);
  const std::uint64_t round_keys = block_keys * num_threads;
  const std::uint64_t num_rounds = members.size / round_keys;
  std::uint64_t round_done = 0;
  const auto write = [&](std::uint64_t from, std::uint64_t size, KeyBlock& block) {
    make_block(block, size, [&](auto numbers) {
      std::iota(numbers.begin(), numbers.end(), members.first + from);
    });
  };
  run_rounds(num_threads,
             {.num_rounds = num_rounds,
              .prepare =
                  [&](unsigned thread, std::uint64_t round) {
                    write(round * round_keys + thread * block_keys, block_keys, *blocks_[thread]);
                  },
              .work =
                  [&](unsigned thread) {
                    const Call call = alternate(entrant, round_done);
                    blocks_[thread]->visit([&](auto keys) { target.insert(keys, call); });
                  },
              .after =
                  [&](const Lap& lap) {
                    const Call call = alternate(entrant, round_done++);
                    entrant.tallies[{Op::kInsert, call, num_threads}].add(lap, round_keys);
                    return !meter_.is_interrupted();
                  }});
  for_each_block(members.size - num_rounds * round_keys, kBlockKeys,
                 [&](std::uint64_t from, std::uint64_t size) {
                   write(num_rounds * round_keys + from, size, *blocks_.front());
                   blocks_.front()->visit([&](auto keys) { target.insert(keys, Call::kSingle); });
                 });
  meter_.add_keys(members.size);
}

/// Runs the warm-up queries of a pass, followed by its timed queries.
void CaseRun::query(Entrant& entrant, const QueryPass& pass, const MemberOrder& members) {
  const Call call = pass.timed.call;
  if (call == Call::kBatch && !entrant.result.plan.has_batch) return;
  const auto run_queries = [&](const Queries& queries) {
    return pass.num_threads == 1 ? query(entrant, queries, members)
                                 : query(entrant, queries, members, pass.num_threads);
  };
  run_queries(pass.warm_up);
  entrant.tallies[{pass.timed.op, call, pass.num_threads}].add(run_queries(pass.timed));
}

Tally CaseRun::query(Entrant& entrant, const Queries& queries, const MemberOrder& members) {
  Tally tally;
  KeyBlock& block = *blocks_.front();
  std::uint64_t num_positives = 0;
  for_each_block(queries.num_queries, kBlockKeys, [&](std::uint64_t from, std::uint64_t size) {
    make_block(block, size, [&](auto numbers) { queries.write(from, members, numbers); });
    meter_.add_keys(size);
    const Lap lap = timed_block(block, [&](auto keys) {
      num_positives += entrant.target->count_positives(keys, queries.call);
    });
    tally.add(lap, size);
  });
  count(entrant.result, queries.op, queries.num_queries, num_positives);
  return tally;
}

/// Runs queries with several threads. The last queries are skipped if they do not fill a block for
/// each thread.
Tally CaseRun::query(Entrant& entrant, const Queries& queries, const MemberOrder& members,
                     unsigned num_threads) {
  Tally tally;
  const std::uint64_t per_thread = queries.num_queries / num_threads;
  const std::uint64_t block_keys =
      std::min<std::uint64_t>(kBlockKeys, per_thread - per_thread % 2);  // even, see write()
  const std::uint64_t round_keys = block_keys * num_threads;
  const std::uint64_t num_rounds = block_keys == 0 ? 0 : queries.num_queries / round_keys;
  std::vector<std::uint64_t> num_positives(num_threads);
  run_rounds(num_threads, {.num_rounds = num_rounds,
                           .prepare =
                               [&](unsigned thread, std::uint64_t round) {
                                 make_block(*blocks_[thread], block_keys, [&](auto numbers) {
                                   queries.write(round * round_keys + thread * block_keys, members,
                                                 numbers);
                                 });
                               },
                           .work =
                               [&](unsigned thread) {
                                 num_positives[thread] += blocks_[thread]->visit([&](auto keys) {
                                   return entrant.target->count_positives(keys, queries.call);
                                 });
                               },
                           .after =
                               [&](const Lap& lap) {
                                 tally.add(lap, round_keys);
                                 return !meter_.is_interrupted();
                               }});
  meter_.add_keys(queries.num_queries);
  count(entrant.result, queries.op, num_rounds * round_keys,
        std::accumulate(num_positives.begin(), num_positives.end(), std::uint64_t{0}));
  return tally;
}

void CaseRun::touch(Entrant& entrant, Floor floor, std::uint64_t num_queries) {
  touch_lines(entrant, floor, num_queries / kWarmUpShare);
  entrant.floor_tallies[static_cast<std::size_t>(floor)].add(
      touch_lines(entrant, floor, num_queries));
}

/// Accesses the cache lines of the floor for blocks of keys, as queries of a filter do.
Tally CaseRun::touch_lines(const Entrant& entrant, Floor floor, std::uint64_t num_keys) {
  Tally tally;
  for_each_block(num_keys, kBlockKeys, [&](std::uint64_t, std::uint64_t size) {
    const std::uint64_t first = floor_numbers_.next(size).first;
    tally.add(
        timed([&] { sum_of_lines_ |= floor_.touch(floor, entrant.result.num_bits, first, size); }),
        size);
    meter_.add_keys(size);
  });
  return tally;
}

void CaseRun::empty(Entrant& entrant, NumberRange range, const MemberOrder& members) {
  if (!entrant.result.plan.can_erase) return;
  KeyBlock& block = *blocks_.front();
  const std::uint64_t block_keys = update_block_keys(range.size);
  for_each_block(range.size, block_keys, [&](std::uint64_t from, std::uint64_t size) {
    make_block(block, size, [&](auto numbers) {
      for (std::uint64_t i = 0; i < size; ++i) numbers[i] = members.at(from + i);
    });
    meter_.add_keys(size);
    const Call call = alternate(entrant, from / block_keys);
    std::uint64_t num_erased = 0;
    const Lap lap =
        timed_block(block, [&](auto keys) { num_erased = entrant.target->erase(keys, call); });
    entrant.tallies[{Op::kErase, call}].add(lap, size);
    entrant.result.num_refused_erases += size - num_erased;
  });
}

}  // namespace bloometry::bench
