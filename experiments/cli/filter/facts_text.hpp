#pragma once

#include <string>

#include "experiments/filter_files/filter_facts.hpp"

namespace bloometry {

/// Returns the facts as a human-readable table.
[[nodiscard]] std::string text_of(const FilterFacts& facts);

/// Returns the variant and size, such as `standard, m = 9,585,059 bits (1.14 MiB), k = 7`.
[[nodiscard]] std::string size_text(const FilterFacts& facts);

}  // namespace bloometry
