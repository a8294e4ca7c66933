#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// What a bench.json holds.
struct KeptBench {
  std::string started;
  std::vector<CaseResult> cases;
};

/// Reads the repetitions that a file of to_json() holds, so that the plan can be run from there.
/// More repetitions, sizes and kinds of keys may be asked for than the file has.
/// @throws ConfigError naming --out and the first difference if times of the file and of the plan
/// are not of the same thing: other settings, filters, build or machine; also if it is no such file
/// or has cases that the plan does not have. IoError if it cannot be read.
[[nodiscard]] KeptBench read_kept_bench(const std::filesystem::path& file, const BenchPlan& plan);

}  // namespace bloometry::bench
