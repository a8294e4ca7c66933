#include "experiments/report/bench_times.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

constexpr int kSchemaVersion = 2;  // version in experiments/bench/bench_json.hpp

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
  throw ConfigError("--bench",
                    fmt::format("must be a file written by `bloometry bench --json`, got {}: {}",
                                file.string(), reason));
}

BenchTime time_of(const json& bench_case, const json& target, const json& time) {
  const auto num_keys = bench_case.at("num_keys").get<std::uint64_t>();
  const json& ns = time.at("ns_per_key");
  BenchTime result{.variant = target.at("name"),
                   .call = time.at("call"),
                   .view = fmt::format("{} keys, {}", grouped(num_keys),
                                       bench_case.at("keys").get<std::string>()),
                   .num_inserted = num_keys,
                   .num_bits = target.at("num_bits"),
                   .num_queries = target.at("num_absent_queries"),
                   .num_false_positives = target.at("num_false_positives"),
                   .interval_lower = target.at("interval_lower"),
                   .interval_upper = target.at("interval_upper"),
                   .ns = ns.at("median"),
                   .ns_min = ns.at("min"),
                   .ns_max = ns.at("max")};
  const json& num_hashes = target.at("num_hashes");
  if (!num_hashes.is_null()) result.num_hashes = num_hashes.get<std::uint64_t>();
  // Files of earlier versions lack the initial capacity.
  const auto initial_capacity = target.find("initial_capacity");
  if (initial_capacity != target.end()) result.initial_capacity = *initial_capacity;
  return result;
}

/// Returns the query times of absent keys, for the filters of this library and for other filters.
std::vector<BenchTime> all_times(const json& bench) {
  std::vector<BenchTime> times;
  for (const json& bench_case : bench.at("cases")) {
    for (const json& target : bench_case.at("targets")) {
      for (const json& time : target.at("times")) {
        const bool is_one_thread = time.value("num_threads", 1) == 1;
        if (time.at("op") == "negative" && is_one_thread)
          times.push_back(time_of(bench_case, target, time));
      }
    }
  }
  return times;
}

json read_json(const std::filesystem::path& file) {
  try {
    json bench = json::parse(read_file(file));
    if (!bench.is_object()) refuse(file, "it is not a JSON object");
    if (bench.at("schema_version") != kSchemaVersion) {
      refuse(file, fmt::format("its schema_version is {}, not {}",
                               bench.at("schema_version").dump(), kSchemaVersion));
    }
    return bench;
  } catch (const IoError& error) {
    refuse(file, error.what());
  } catch (const json::exception& error) {
    refuse(file, reason_of(error));
  }
}

void add_times(const std::filesystem::path& file, const std::set<std::string>& variants,
               BenchTimes& result) {
  const json bench = read_json(file);
  std::vector<BenchTime> times;
  try {
    times = all_times(bench);
    result.machines.insert(bench.at("machine").at("cpu").get<std::string>());
  } catch (const json::exception& error) {
    refuse(file, reason_of(error));
  }
  if (times.empty()) refuse(file, "times of absent keys are missing (bench --ops negative)");
  std::set<std::string> found;
  for (const BenchTime& time : times) found.insert(time.variant);
  result.num_of_others +=
      std::erase_if(times, [&](const BenchTime& time) { return !variants.contains(time.variant); });
  if (times.empty()) {
    throw ConfigError(
        "--bench",
        fmt::format("must contain times of a variant of the run ({}), got {} with times of {}",
                    joined(variants), file.string(), joined(found)));
  }
  result.times.insert(result.times.end(), times.begin(), times.end());
}

}  // namespace

BenchTimes read_bench_times(const std::vector<std::filesystem::path>& files,
                            std::span<const SummaryRow> run) {
  std::set<std::string> variants;
  for (const SummaryRow& row : run) variants.insert(row.variant);
  BenchTimes result;
  std::set<std::filesystem::path> met;
  for (const std::filesystem::path& file : files) {
    if (!met.insert(std::filesystem::weakly_canonical(file)).second) {
      throw ConfigError("--bench",
                        fmt::format("must be distinct files, got {} twice", file.string()));
    }
    add_times(file, variants, result);
  }
  return result;
}

}  // namespace bloometry::report
