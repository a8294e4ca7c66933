#include "core/hash/mix.hpp"

#include <set>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("mix64: equals the finaliser of SplitMix64", "[core][hash][golden]") {
  // The expected words are the first two outputs of SplitMix64 with seed 0 (Vigna's splitmix64.c).
  CHECK(mix64(kGoldenGamma) == 0xe220a8397b1dcdafULL);
  CHECK(mix64(2 * kGoldenGamma) == 0x6e789e6aa1b965f4ULL);
}

TEST_CASE("remix: 1000 parts of a filter get different digests", "[core][hash]") {
  const Digest digest{1, 2};
  std::set<std::uint64_t> words;
  for (std::uint64_t part = 0; part < 1000; ++part) {
    words.insert(remix(digest, part).lo);
    words.insert(remix(digest, part).hi);
  }
  CHECK(words.size() == 2000);
}

}  // namespace bloometry
