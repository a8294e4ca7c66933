#pragma once

#include <string>
#include <vector>

#include "experiments/bench/bench_result.hpp"
#include "experiments/chart/chart.hpp"

namespace bloometry::bench {

/// The name of its files, without ending: `bench_integer`.
[[nodiscard]] std::string chart_name(KeyKind keys);

/// One chart for each kind of keys: nanoseconds per key by filter, a panel for each n and op.
[[nodiscard]] std::vector<chart::Chart> make_bench_charts(const BenchResult& result);

}  // namespace bloometry::bench
