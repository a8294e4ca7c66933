#pragma once

#include <cstdint>
#include <vector>

namespace bloometry::mixed {

/// Answers and words of filters, computed by a source that was compiled for one instruction set.
using Results = std::vector<std::uint64_t>;

Results portable_results();
Results avx2_results();
Results avx512_results();

}  // namespace bloometry::mixed
