#include "variants/standard/standard_filter.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/scripted_probes.hpp"

namespace bloometry {
namespace {

using test::key_at;
using ScriptedFilter = BasicStandardFilter<test::ScriptedProbes>;

const FilterSpec kSpec{.num_bits = 16, .num_hashes = 3};

}  // namespace

TEST_CASE("standard: a key sets only the bits at its positions", "[variants][standard]") {
  ScriptedFilter filter(kSpec);
  filter.insert(key_at({3, 9, 3}));
  CHECK(filter.bits().count() == 2);
  CHECK(filter.bits().test(3));
  CHECK(filter.bits().test(9));
}

TEST_CASE("standard: contains tests every probed bit", "[variants][standard]") {
  ScriptedFilter filter(kSpec);
  filter.insert(key_at({1, 2, 3}));
  CHECK(filter.contains(key_at({3, 1, 2})));
  CHECK(filter.contains(key_at({1, 1, 1})));
  CHECK_FALSE(filter.contains(key_at({4, 1, 2})));
  CHECK_FALSE(filter.contains(key_at({1, 4, 2})));
  CHECK_FALSE(filter.contains(key_at({1, 2, 4})));
}

TEST_CASE("standard: insert returns whether a bit changed", "[variants][standard]") {
  ScriptedFilter filter(kSpec);
  CHECK(filter.insert(key_at({1, 2, 3})));
  CHECK_FALSE(filter.insert(key_at({1, 2, 3})));
  CHECK(filter.insert(key_at({1, 2, 4})));
  CHECK_FALSE(filter.insert(key_at({4, 3, 1})));  // was absent, but tested positive
}

TEST_CASE("standard: repeated inserts in another order leave the same bits",
          "[variants][standard]") {
  const auto keys = test::member_digests(100);
  const FilterSpec spec{.num_bits = 1000, .num_hashes = 7};
  StandardFilter once(spec);
  StandardFilter twice(spec);
  for (const Digest& key : keys) once.insert(key);
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    twice.insert(*key);
    twice.insert(*key);
  }
  CHECK(once == twice);
}

TEST_CASE("standard: the state has the number of ones and their rate", "[variants][standard]") {
  ScriptedFilter filter(kSpec);
  filter.insert(key_at({0, 1, 2}));
  filter.insert(key_at({3, 3, 0}));
  const FilterState state = filter.state();
  CHECK(state.num_bits == 16);
  CHECK(state.num_ones == 4);
  CHECK(state.conditional_false_positive_rate == 1.0 / 64);
  CHECK_FALSE(state.num_counters.has_value());
}

}  // namespace bloometry
