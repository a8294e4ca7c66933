#pragma once

#include <string>

#include "experiments/bench/bench_result.hpp"

namespace bloometry {

/// Returns a time in ns or a ratio with three significant digits, the precision of timings.
[[nodiscard]] std::string ns_text(double ns);

/// Prints the machine, the legend and the tables of results to standard output.
void print_bench(const bench::BenchResult& result);

}  // namespace bloometry
