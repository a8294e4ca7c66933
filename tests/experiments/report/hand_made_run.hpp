#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/output/run_folder.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::test {

/// A run that was never run: rows with the right theory and made-up hits, for what draws them.
struct HandMadeRun {
  RunData run;
  std::vector<SummaryRow> rows;
  Verdict verdict;
};

/// One point of a standard filter with that many queries; the hits are what theory expects, plus
/// `excess` standard errors.
[[nodiscard]] SummaryRow make_row(std::uint64_t n, double bits_per_key, std::uint64_t k,
                                  std::uint64_t num_queries = 1'000'000, double excess = 0);

/// The product of the axes for standard and counting filters of one capacity; hits scatter a
/// little.
[[nodiscard]] HandMadeRun grid_run(const std::vector<double>& loads,
                                   const std::vector<double>& sizes,
                                   const std::vector<std::uint64_t>& hashes);

/// A grid as large as the demo's.
[[nodiscard]] HandMadeRun large_run();

/// One size, one k, five n: a single series.
[[nodiscard]] HandMadeRun one_series_run();

/// Many key sources, so that charts have a hundred views.
[[nodiscard]] HandMadeRun hundred_facets_run();

/// Texts that break a page which does not escape: markup, quotes, template braces, bad UTF-8.
[[nodiscard]] HandMadeRun hostile_run();

/// A run without a row.
[[nodiscard]] HandMadeRun empty_run();

/// Adds trial verdicts with p-values as even as they can be.
void add_trials(HandMadeRun& made, std::size_t num_trials);

}  // namespace bloometry::test
