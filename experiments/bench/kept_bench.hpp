#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// The contents of a bench.json file.
struct KeptBench {
  std::string started;
  std::vector<CaseResult> cases;
};

/// Reads the repetitions from a file that to_json() has written, so that a run of the plan can
/// continue after these repetitions. The plan may have more repetitions, sizes and kinds of keys
/// than the file.
/// @throws ConfigError if file and plan differ in settings, filters, build or machine. The message
/// names --out and the first difference. Throws ConfigError if the file was not written by
/// to_json() or contains a case that is not in the plan. Throws IoError if the file cannot be read.
[[nodiscard]] KeptBench read_kept_bench(const std::filesystem::path& file, const BenchPlan& plan);

}  // namespace bloometry::bench
