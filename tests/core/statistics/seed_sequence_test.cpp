#include "core/statistics/seed_sequence.hpp"

#include <set>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("seed_sequence: is the XXH3 of bloometry/1/purpose/source/trial under the root seed",
          "[core][random][golden]") {
  const std::string text = "bloometry/1/hash/random/17";
  CHECK(SeedSequence(42).seed("hash", "random", 17) == Xxh3Hasher(42)(text).lo);
}

TEST_CASE("seed_sequence: purpose, source, trial and root seed all change the seed",
          "[core][random]") {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t root : {1, 2}) {
    for (const char* purpose : {"hash", "keys"}) {
      for (const char* source : {"random", "url"}) {
        for (const std::uint64_t trial : {0ULL, 1ULL, 1ULL << 32U}) {
          seeds.insert(SeedSequence(root).seed(purpose, source, trial));
        }
      }
    }
  }
  CHECK(seeds.size() == 24);
}

}  // namespace bloometry
