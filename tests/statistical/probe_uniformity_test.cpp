// Tests that the positions of every scheme are uniform. Tests that the increments of a
// variable-increment filter are uniform, and independent of the positions and of each other. The
// chi-square test has two tails, because a result that is too even is not random. The file contains
// 24 + 33 + 1 assertions with the false-alarm probability in false_alarm.hpp.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/probe/all_probes.hpp"
#include "core/probe/increment_words.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/statistical/uniformity.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumProbedKeys = 200'000;
constexpr std::uint64_t kNumIncrements = 8;

const std::vector<Digest>& keys() {
  static const auto keys = test::member_digests(kNumProbedKeys, test::test_seed());
  return keys;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("probe policy: the first and the fifth position are uniform",
                        "[statistical]", AllProbes) {
  constexpr std::uint64_t kRange = 1009;
  std::vector<std::uint64_t> first(kRange, 0);
  std::vector<std::uint64_t> fifth(kRange, 0);
  for (const Digest& key : keys()) {
    TestType probes(key, kRange);
    ++first[probes.next(kRange)];
    for (int i = 0; i < 3; ++i) probes.next(kRange);
    ++fifth[probes.next(kRange)];
  }
  CAPTURE(TestType::kName, test::test_seed());
  CHECK(test::two_sided_p_value(first) > test::rejection_threshold());
  CHECK(test::two_sided_p_value(fifth) > test::rejection_threshold());
}

TEMPLATE_LIST_TEST_CASE("increment_words: are independent of the positions of every scheme",
                        "[statistical]", WithReplacementProbes) {
  constexpr std::uint64_t kRange = 61;
  for (const unsigned probe : {0U, 1U, 5U}) {
    std::vector<std::uint64_t> pairs(kRange * kNumIncrements, 0);
    for (const Digest& key : keys()) {
      TestType probes(key, kRange);
      IncrementWords words(key);
      std::uint64_t position = probes.next(kRange);
      std::uint64_t increment = words.next(kNumIncrements);
      for (unsigned i = 0; i < probe; ++i) {
        position = probes.next(kRange);
        increment = words.next(kNumIncrements);
      }
      ++pairs[position * kNumIncrements + increment];
    }
    CAPTURE(TestType::kName, probe, test::test_seed());
    CHECK(test::two_sided_p_value(pairs) > test::rejection_threshold());
  }
}

TEST_CASE("increment_words: triples of a key are uniform", "[statistical]") {
  std::vector<std::uint64_t> triples(kNumIncrements * kNumIncrements * kNumIncrements, 0);
  for (const Digest& key : keys()) {
    IncrementWords words(key);
    const std::uint64_t a = words.next(kNumIncrements);
    const std::uint64_t b = words.next(kNumIncrements);
    ++triples[(a * kNumIncrements + b) * kNumIncrements + words.next(kNumIncrements)];
  }
  CAPTURE(test::test_seed());
  CHECK(test::two_sided_p_value(triples) > test::rejection_threshold());
}

}  // namespace bloometry
