#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace bloometry::test {

/// Returns the root seed of randomised tests. The root seed is fixed, so that results are
/// reproducible. The environment variable BLOOMETRY_TEST_SEED (decimal) sets another seed for
/// nightly runs.
inline std::uint64_t test_seed() {
  const char* text = std::getenv("BLOOMETRY_TEST_SEED");
  return text == nullptr ? 20261120 : std::stoull(text);
}

}  // namespace bloometry::test
