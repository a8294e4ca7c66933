#include "experiments/bench/kept_bench.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/bench/case_run.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/plan/json_document.hpp"

namespace bloometry::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void refuse(const fs::path& file, const std::string& reason) {
  throw ConfigError("--out", fmt::format("must not contain another benchmark, got {}, whose "
                                         "bench.json {}; --fresh replaces this file",
                                         file.parent_path().string(), reason));
}

void require_equal(const fs::path& file, const std::string& field, const json& kept,
                   const json& requested) {
  if (kept == requested) return;
  refuse(file, fmt::format("has {} {}, not {}", field, kept.dump(), requested.dump()));
}

/// Throws ConfigError if the file is from another build or processor, or has other settings. Times
/// of different conditions are not comparable.
void require_same_benchmark(const fs::path& file, const json& kept, const BenchPlan& plan) {
  const json requested = to_json(BenchResult{.plan = plan}, "");
  for (const char* field :
       {"schema_version", "seed", "target_false_positive_rate", "hash", "initial_capacity",
        "queries_per_repetition", "ops", "threads", "warm_up_share", "block_keys"}) {
    require_equal(file, field, kept.at(field), requested.at(field));
  }
  for (const char* field : {"version", "git_revision", "compiler", "build_type", "compiler_flags",
                            "cpu", "isa", "num_cpus"}) {
    require_equal(file, field, kept.at("machine").at(field), requested.at("machine").at(field));
  }
}

template <class Item, class NameOf>
Item item_of(const fs::path& file, const json& name, std::span<const Item> all,
             NameOf name_of_item) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Item& item) { return name_of_item(item) == name; });
  if (found == all.end()) refuse(file, "has an unknown " + name.dump());
  return *found;
}

Repetitions repetitions_of(const fs::path& file, const json& figure,
                           std::uint64_t num_repetitions) {
  auto repetitions = figure.at("repetitions").get<Repetitions>();
  if (repetitions.size() != num_repetitions) refuse(file, "has a time without all repetitions");
  return repetitions;
}

Figure figure_of(const fs::path& file, const json& time) {
  const auto name = [](auto item) { return name_of(item); };
  return {.op = item_of(file, time.at("op"), std::span<const Op>(kAllOps), name),
          .call = item_of(file, time.at("call"), std::span<const Call>(kAllCalls), name),
          .num_threads = time.at("num_threads")};
}

/// Reads the measurements of a target from JSON into the target's empty result.
void read_target(const fs::path& file, const json& kept, std::uint64_t num_repetitions,
                 TargetResult& result) {
  require_equal(file, "a filter", kept.at("name"), result.plan.name);
  result.num_bits = kept.at("num_bits");
  result.num_absent_queries = kept.at("num_absent_queries");
  result.num_false_positives = kept.at("num_false_positives");
  result.num_false_negatives = kept.at("num_false_negatives");
  result.num_refused_erases = kept.at("num_refused_erases");
  result.num_laps = kept.at("num_blocks");
  result.num_preempted_laps = kept.at("num_blocks_left_out");
  for (const json& time : kept.at("times")) {
    result.ns_per_key[figure_of(file, time)] =
        repetitions_of(file, time.at("ns_per_key"), num_repetitions);
  }
  for (const Floor floor : kAllFloors) {
    result.floor_ns[static_cast<std::size_t>(floor)] = repetitions_of(
        file, kept.at("floor_ns_per_key").at(std::string(name_of(floor))), num_repetitions);
  }
}

CaseResult read_case(const fs::path& file, const json& kept, const BenchPlan& plan) {
  const auto found =
      std::find_if(plan.cases.begin(), plan.cases.end(), [&](const BenchCase& requested) {
        return kept.at("num_keys") == requested.num_keys && kept.at("keys") == requested.keys;
      });
  if (found == plan.cases.end()) {
    refuse(file, fmt::format("has times of {} keys ({}), which are not requested",
                             kept.at("num_keys").dump(), kept.at("keys").get<std::string>()));
  }
  CaseResult result = CaseRun::empty_result(plan, *found);
  result.num_repetitions = kept.at("num_repetitions");
  // Version 0.1.0 did not write the repetitions of each run.
  result.run_repetitions =
      kept.value("run_repetitions", std::vector<std::uint64_t>{result.num_repetitions});
  const std::vector<std::uint64_t>& runs = result.run_repetitions;
  if (std::accumulate(runs.begin(), runs.end(), std::uint64_t{0}) != result.num_repetitions) {
    refuse(file, "has run_repetitions whose sum is not num_repetitions");
  }
  const json& targets = kept.at("targets");
  require_equal(file, "a number of filters", targets.size(), result.targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    read_target(file, targets[i], result.num_repetitions, result.targets[i]);
  }
  return result;
}

}  // namespace

KeptBench read_kept_bench(const fs::path& file, const BenchPlan& plan) {
  try {
    const json kept = json::parse(read_file(file));
    require_same_benchmark(file, kept, plan);
    KeptBench result{.started = kept.at("started"), .cases = {}};
    for (const json& of_case : kept.at("cases")) {
      result.cases.push_back(read_case(file, of_case, plan));
    }
    return result;
  } catch (const json::exception& error) {
    refuse(file, "cannot be read: " + reason_of(error));
  }
}

}  // namespace bloometry::bench
