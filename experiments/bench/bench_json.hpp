#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/bench/bench_result.hpp"
#include "experiments/bench/compare_bench.hpp"

namespace bloometry::bench {

/// The version of the JSON fields (README.md of this folder).
inline constexpr int kSchemaVersion = 2;

/// Returns all measurements and their conditions as JSON; README.md of this folder describes the
/// fields.
/// @param started start time of the run, as utc_now() writes it
[[nodiscard]] nlohmann::ordered_json to_json(const BenchResult& result, const std::string& started);

/// Returns a comparison as JSON; README.md of this folder describes the fields.
[[nodiscard]] nlohmann::ordered_json to_json(const BenchComparison& comparison);

}  // namespace bloometry::bench
