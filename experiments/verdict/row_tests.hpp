#pragma once

#include <string>
#include <string_view>

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// Whether the hash is one too weak for theory to hold: rows with it are studied.
[[nodiscard]] bool is_weak_hash(std::string_view name);

/// Why a row is only studied; empty if it is tested. Tested are rows whose probes follow their
/// model, whose hash is not marked weak, and whose filter was not damaged by wrongful erases.
[[nodiscard]] std::string studied_because(const TrialRow& row);

/// p-values of one row, tested or studied, and why a test does not apply. Decides nothing: what
/// deviates depends on how many tests there are.
/// @throws ConfigError if the row contradicts itself (more hits than queries, a rate outside
/// [0, 1]).
[[nodiscard]] RowVerdict test_row(const TrialRow& row, const RowContext& context,
                                  TheoryCache& cache);

}  // namespace bloometry
