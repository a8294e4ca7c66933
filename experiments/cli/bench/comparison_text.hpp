#pragma once

#include <iosfwd>

#include "experiments/bench/compare_bench.hpp"

namespace bloometry {

/// Prints the comparison as one table per kind of keys, operation and kind of call, followed by the
/// rows of only one benchmark and a summary.
void print_comparison(const bench::BenchComparison& comparison, std::ostream& out);

}  // namespace bloometry
