#include "experiments/bench/stored_bench.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/plan/json_document.hpp"

namespace bloometry::bench {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_stored(const std::string& name, const std::string& reason) {
  throw ConfigError(fmt::format(
      "--compare must be the JSON of a benchmark (bench --json), got {}: {}", name, reason));
}

/// Text of a JSON value: the string itself, or the JSON of another value.
std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Returns the times of a figure, divided into runs of the given numbers of repetitions.
RunTimes times_of(const std::string& name, const json& figure,
                  const std::vector<std::uint64_t>& run_repetitions) {
  auto times = figure.at("repetitions").get<Repetitions>();
  const bool is_valid = !times.empty() && std::all_of(times.begin(), times.end(), [](double time) {
    return time > 0 && std::isfinite(time);
  });
  if (!is_valid) refuse_stored(name, "repetitions must be positive numbers, at least one");
  RunTimes runs;
  auto next = times.begin();
  for (const std::uint64_t num_times : run_repetitions) {
    if (num_times < 1 || num_times > static_cast<std::uint64_t>(times.end() - next)) break;
    runs.emplace_back(next, next + static_cast<std::ptrdiff_t>(num_times));
    next += static_cast<std::ptrdiff_t>(num_times);
  }
  if (next != times.end() || runs.size() != run_repetitions.size())
    refuse_stored(name,
                  "run_repetitions must be positive, and their sum the number of repetitions");
  return runs;
}

void add_row(StoredBench& bench, std::map<RowName, RunTimes>& rows, const RowName& row,
             RunTimes times) {
  if (rows.emplace(row, std::move(times)).second) return;
  refuse_stored(bench.name, fmt::format("has {}, {} and {} of {} at {} keys twice", row.op,
                                        row.call, row.num_threads, row.target, row.num_keys));
}

void add_target(StoredBench& bench, RowName row, const json& target,
                const std::vector<std::uint64_t>& run_repetitions) {
  const auto times = [&](const json& figure) {
    return times_of(bench.name, figure, run_repetitions);
  };
  row.target = target.at("name");
  for (const json& time : target.at("times")) {
    row.op = time.at("op");
    row.call = time.at("call");
    row.num_threads = time.at("num_threads");
    add_row(bench, bench.rows, row, times(time.at("ns_per_key")));
  }
  row.op = "floor";
  row.num_threads = 1;
  for (const auto& [floor, figure] : target.at("floor_ns_per_key").items()) {
    row.call = floor;
    add_row(bench, bench.floors, row, times(figure));
  }
}

}  // namespace

StoredBench stored_bench(const json& json, const std::string& name) {
  try {
    if (json.at("schema_version") != kSchemaVersion) {
      refuse_stored(name, fmt::format("its schema_version must be {}, got {}", kSchemaVersion,
                                      shown_json(json.at("schema_version"))));
    }
    const auto& machine = json.at("machine");
    StoredBench bench{.name = name,
                      .started = json.at("started"),
                      .version = text_of(machine.at("version")),
                      .git_revision = text_of(machine.at("git_revision"))};
    for (const char* field : {"cpu", "num_cpus", "isa", "compiler", "build_type", "compiler_flags"})
      bench.conditions[field] = text_of(machine.at(field));
    for (const char* field : {"target_false_positive_rate", "hash", "initial_capacity",
                              "queries_per_repetition", "warm_up_share", "block_keys"})
      bench.conditions[field] = text_of(json.at(field));
    for (const auto& bench_case : json.at("cases")) {
      const std::vector<std::uint64_t> run_repetitions = bench_case.value(
          "run_repetitions",
          std::vector<std::uint64_t>{bench_case.at("num_repetitions").get<std::uint64_t>()});
      for (const auto& target : bench_case.at("targets")) {
        RowName row;
        row.num_keys = bench_case.at("num_keys");
        row.keys = bench_case.at("keys");
        add_target(bench, row, target, run_repetitions);
      }
    }
    return bench;
  } catch (const nlohmann::json::exception& error) {
    refuse_stored(name, reason_of(error));
  }
}

StoredBench read_stored_bench(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) refuse_stored(file.string(), "it does not exist");
  if (!std::filesystem::is_regular_file(file, ignored))
    refuse_stored(file.string(), "it is not a regular file");
  json json;
  try {
    json = parse_json(read_file(file)).value;
  } catch (const ConfigFileError& error) {
    refuse_stored(file.string(), error.what());
  }
  return stored_bench(json, file.string());
}

}  // namespace bloometry::bench
