#include "experiments/bench/run_bench.hpp"

#include <algorithm>
#include <utility>

#include "experiments/bench/case_run.hpp"

namespace bloometry::bench {
namespace {

CaseResult kept_or_empty(const BenchPlan& plan, const BenchCase& bench_case,
                         const std::vector<CaseResult>& kept) {
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const CaseResult& result) {
    return result.num_keys == bench_case.num_keys && result.keys == bench_case.keys;
  });
  return found == kept.end() ? CaseRun::empty_result(plan, bench_case) : *found;
}

std::uint64_t num_repetitions_left(const BenchPlan& plan, const CaseResult& result) {
  return plan.settings.num_repetitions -
         std::min(result.num_repetitions, plan.settings.num_repetitions);
}

/// Returns the estimated time of one repetition in seconds. Two builds of few keys separate the
/// fixed cost of a build (clear() of whole filters) from the cost per key.
double seconds_of_repetition(const BenchPlan& plan, const BenchCase& bench_case,
                             BenchMeter& meter) {
  constexpr double kKeysOfLongerBuild = 1 << 18U;
  CaseRun run(plan, bench_case, meter);
  const double longer =
      std::min(1.0, kKeysOfLongerBuild / static_cast<double>(bench_case.num_keys));
  const double shorter = longer / 2;
  static_cast<void>(run.seconds_of_build(shorter));  // first access to the memory
  const double seconds_of_shorter = run.seconds_of_build(shorter);
  const double seconds_of_longer = run.seconds_of_build(longer);
  const double per_share =
      std::max(0.0, seconds_of_longer - seconds_of_shorter) / (longer - shorter);
  const BuildPlan builds = CaseRun::empty_result(plan, bench_case).builds;
  return static_cast<double>(builds.num_builds) * (seconds_of_longer + (1 - longer) * per_share);
}

}  // namespace

BenchResult run_bench(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                      const std::atomic<bool>& interrupted, const BenchObserver& observer) {
  BenchResult result{.plan = plan};
  std::vector<CaseResult> results;
  BenchMeter meter(interrupted, observer.progress);
  for (const BenchCase& bench_case : plan.cases) {
    results.push_back(kept_or_empty(plan, bench_case, kept));
    const std::uint64_t num_left = num_repetitions_left(plan, results.back());
    meter.plan(num_left * bench_case.plans.size(),
               num_left * CaseRun::num_keys_of_repetition(plan, bench_case));
  }
  const auto complete = [&] {
    result.cases.clear();
    std::copy_if(results.begin(), results.end(), std::back_inserter(result.cases),
                 [](const CaseResult& of_case) { return of_case.num_repetitions > 0; });
  };
  try {
    for (std::size_t i = 0; i < plan.cases.size(); ++i) {
      if (num_repetitions_left(plan, results[i]) == 0) continue;
      CaseRun(plan, plan.cases[i], meter).run(results[i], [&] {
        complete();
        observer.repetition(result);
      });
    }
  } catch (const Interrupted&) {
    result.was_interrupted = true;
  }
  complete();
  return result;
}

double estimate_seconds(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                        const std::atomic<bool>& interrupted) {
  BenchMeter meter(interrupted, [](const BenchProgress&) {});
  double seconds = 0;
  for (const BenchCase& bench_case : plan.cases) {
    const std::uint64_t num_left =
        num_repetitions_left(plan, kept_or_empty(plan, bench_case, kept));
    if (num_left == 0) continue;
    seconds += static_cast<double>(num_left) * seconds_of_repetition(plan, bench_case, meter);
  }
  return seconds;
}

}  // namespace bloometry::bench
