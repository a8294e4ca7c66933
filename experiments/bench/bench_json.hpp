#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// Everything that was measured and with what: the schema is in README.md of this folder.
/// @param started when the run began, as utc_now() writes it
[[nodiscard]] nlohmann::ordered_json to_json(const BenchResult& result, const std::string& started);

}  // namespace bloometry::bench
