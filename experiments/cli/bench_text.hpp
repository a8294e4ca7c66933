#pragma once

#include "experiments/bench/bench_result.hpp"

namespace bloometry {

/// Prints machine, legend and tables to standard output.
void print_bench(const bench::BenchResult& result);

}  // namespace bloometry
