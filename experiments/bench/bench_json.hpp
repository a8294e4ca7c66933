#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// Returns all measurements and their conditions as JSON; README.md of this folder describes the
/// fields.
/// @param started start time of the run, as utc_now() writes it
[[nodiscard]] nlohmann::ordered_json to_json(const BenchResult& result, const std::string& started);

}  // namespace bloometry::bench
