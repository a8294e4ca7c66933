#include "experiments/bench/bench_json.hpp"

#include <nlohmann/json.hpp>

#include "core/statistics/binomial_interval.hpp"
#include "experiments/bench/summary.hpp"
#include "experiments/process/machine.hpp"

namespace bloometry::bench {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Spread& spread) {
  return {{"median", spread.median}, {"min", spread.min}, {"max", spread.max}};
}

ordered_json to_json(const Repetitions& repetitions) {
  ordered_json object = to_json(spread_of(repetitions));
  object["repetitions"] = repetitions;
  return object;
}

/// Returns the counts of a target's false positives, and its rate with a 95 % interval. The rate is
/// null if the target has not received a query for an absent key.
ordered_json false_positives(const TargetResult& target) {
  ordered_json object = {{"num_absent_queries", target.num_absent_queries},
                         {"num_false_positives", target.num_false_positives},
                         {"observed_false_positive_rate", nullptr},
                         {"interval_lower", nullptr},
                         {"interval_upper", nullptr},
                         {"expected_false_positive_rate", nullptr},
                         {"num_false_negatives", target.num_false_negatives},
                         {"num_refused_erases", target.num_refused_erases},
                         {"num_blocks", target.num_laps},
                         {"num_blocks_left_out", target.num_preempted_laps}};
  if (target.plan.expected_rate)
    object["expected_false_positive_rate"] = *target.plan.expected_rate;
  if (target.num_absent_queries == 0) return object;
  const statistics::Interval interval =
      statistics::clopper_pearson(target.num_false_positives, target.num_absent_queries, 0.05);
  object["observed_false_positive_rate"] = static_cast<double>(target.num_false_positives) /
                                           static_cast<double>(target.num_absent_queries);
  object["interval_lower"] = interval.lower;
  object["interval_upper"] = interval.upper;
  return object;
}

ordered_json floors(const TargetResult& target) {
  ordered_json object = ordered_json::object();
  for (const Floor floor : kAllFloors) {
    object[std::string(name_of(floor))] = to_json(target.floor_ns[static_cast<std::size_t>(floor)]);
  }
  return object;
}

/// Returns the times of one figure and a ratio. The ratio compares times of one thread with the
/// floor, and times of several threads with the times of one thread.
ordered_json to_json(const TargetResult& target, const Figure& figure,
                     const Repetitions& repetitions) {
  const auto& [op, call, num_threads] = figure;
  ordered_json object = {{"op", name_of(op)},          {"call", name_of(call)},
                         {"num_threads", num_threads}, {"ns_per_key", to_json(repetitions)},
                         {"floor", nullptr},           {"ratio_to_floor", nullptr},
                         {"speedup", nullptr}};
  if (num_threads == 1) {
    object["floor"] = name_of(floor_of(op, call));
    object["ratio_to_floor"] = to_json(spread_of_ratios(repetitions, target.floor(op, call)));
  } else {
    object["speedup"] = to_json(spread_of_ratios(target.ns_per_key.at({op, call}), repetitions));
  }
  return object;
}

ordered_json times(const TargetResult& target) {
  ordered_json object = ordered_json::array();
  for (const auto& [figure, repetitions] : target.ns_per_key) {
    object.push_back(to_json(target, figure, repetitions));
  }
  return object;
}

ordered_json to_json(const TargetResult& target, std::uint64_t num_keys) {
  ordered_json object = {
      {"name", target.plan.name},
      {"is_peer", target.plan.is_peer},
      {"hash", target.plan.hash},
      {"num_bits", target.num_bits},
      {"bits_per_key", static_cast<double>(target.num_bits) / static_cast<double>(num_keys)},
      {"num_hashes", nullptr}};
  if (target.plan.num_hashes > 0) object["num_hashes"] = target.plan.num_hashes;
  if (target.plan.initial_capacity) object["initial_capacity"] = *target.plan.initial_capacity;
  object.update(false_positives(target));
  object["floor_ns_per_key"] = floors(target);
  object["times"] = times(target);
  return object;
}

ordered_json to_json(const CaseResult& bench_case) {
  ordered_json object = {{"num_keys", bench_case.num_keys},
                         {"keys", bench_case.keys},
                         {"num_repetitions", bench_case.num_repetitions},
                         {"run_repetitions", bench_case.run_repetitions},
                         {"builds_per_repetition", bench_case.builds.num_builds},
                         {"queries_per_build", bench_case.builds.num_queries},
                         {"targets", ordered_json::array()},
                         {"refused", ordered_json::array()}};
  for (const TargetResult& target : bench_case.targets) {
    object["targets"].push_back(to_json(target, bench_case.num_keys));
  }
  for (const TargetPlan& plan : bench_case.refused) {
    object["refused"].push_back({{"name", plan.name}, {"because", plan.refusal}});
  }
  return object;
}

}  // namespace

ordered_json to_json(const BenchResult& result, const std::string& started) {
  const BenchSettings& settings = result.plan.settings;
  ordered_json object = {{"schema_version", kSchemaVersion},
                         {"started", started},
                         {"machine", describe_build_and_machine()},
                         {"seed", settings.seed},
                         {"target_false_positive_rate", settings.rate},
                         {"hash", settings.hash},
                         {"initial_capacity", nullptr},
                         {"num_repetitions", settings.num_repetitions},
                         {"queries_per_repetition", settings.num_queries},
                         {"ops", ordered_json::array()},
                         {"threads", settings.threads},
                         {"warm_up_share", 1.0 / static_cast<double>(kWarmUpShare)},
                         {"block_keys", kBlockKeys},
                         {"cases", ordered_json::array()}};
  if (settings.initial_capacity) object["initial_capacity"] = *settings.initial_capacity;
  for (const Op op : result.plan.ops) object["ops"].push_back(name_of(op));
  for (const CaseResult& bench_case : result.cases) object["cases"].push_back(to_json(bench_case));
  return object;
}

}  // namespace bloometry::bench
