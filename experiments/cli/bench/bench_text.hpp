#pragma once

#include "experiments/bench/bench_result.hpp"

namespace bloometry {

/// Prints the machine, the legend and the tables of results to standard output.
void print_bench(const bench::BenchResult& result);

}  // namespace bloometry
