#pragma once

#include <string>

#include "core/contract/generation_counts.hpp"
#include "core/engine/generation_clock.hpp"

namespace bloometry {

/// Returns an error message if a filter with the given clock cannot have the counts of a file, and
/// an empty string otherwise.
[[nodiscard]] std::string impossible_counts(const GenerationCounts& counts,
                                            const GenerationClock& clock);

}  // namespace bloometry
