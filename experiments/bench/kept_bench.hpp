#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// The contents of a bench.json.
struct KeptBench {
  std::string started;
  std::vector<CaseResult> cases;
};

/// Reads the repetitions in a file of to_json(), so that the plan can continue from there. The plan
/// may have more repetitions, sizes and kinds of keys than the file.
/// @throws ConfigError if file and plan differ in settings, filters, build or machine; the message
/// names --out and the first difference. Throws ConfigError if the file was not written by
/// to_json() or contains a case that is not in the plan. Throws IoError if the file cannot be read.
[[nodiscard]] KeptBench read_kept_bench(const std::filesystem::path& file, const BenchPlan& plan);

}  // namespace bloometry::bench
