#include "experiments/unit/key_lifetime.hpp"

#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

TEST_CASE("key_lifetime: a filter of whole generations clears a key after its window", "[unit]") {
  // Four generations of 25 inserts: the window is 3 * 25 + 1 inserts or 3 ticks.
  const KeyLifetime lifetime = lifetime_of(Window{.num_inserts = 76, .num_ticks = 3}, false, 5);
  REQUIRE(lifetime.generation_capacity == 25U);
  REQUIRE(lifetime.num_found == 3);
  REQUIRE(lifetime.num_gone == 4);
}

TEST_CASE("key_lifetime: traces of a key last for k generations", "[unit]") {
  const KeyLifetime lifetime = lifetime_of(Window{.num_inserts = 51, .num_ticks = 5}, true, 7);
  REQUIRE(lifetime.generation_capacity == 10U);
  REQUIRE(lifetime.num_found == 5);
  REQUIRE(lifetime.num_gone == 12);  // k + l slices
}

TEST_CASE("key_lifetime: a filter that only ticks rotate has no capacity", "[unit]") {
  REQUIRE_FALSE(lifetime_of(Window{.num_ticks = 5}, false, 1).generation_capacity);
}

TEST_CASE("key_lifetime: a filter holds no more keys of a stream than it was given", "[unit]") {
  const VariantInfo& standard = find_variant("standard");
  const FilterSpec bits{.num_bits = 64, .num_hashes = 2};
  const ItemStream stream{.zipf = 1, .num_distinct = 50};
  CHECK(most_keys_of(stream, standard, bits, 20) == 20);
  CHECK(most_keys_of(stream, standard, bits, 51) == 50);
  const ItemStream cleared{.zipf = 1, .num_distinct = 50, .clear_every = 30};
  CHECK(most_keys_of(cleared, standard, bits, 20) == 20);
  CHECK(most_keys_of(cleared, standard, bits, 51) == 30);

  // Four generations of 25 inserts, in which the 50 keys may repeat.
  const VariantInfo& rotating = find_variant("rotating");
  const FilterSpec ring{.num_bits = 4000,
                        .num_hashes = 2,
                        .params = {{"generations", 4.0}, {"generation_capacity", 25.0}}};
  CHECK(most_keys_of(stream, rotating, ring, 99) == 99);
  CHECK(most_keys_of(stream, rotating, ring, 1000) == 100);
  CHECK(most_keys_of(cleared, rotating, ring, 1000) == 30);
}

TEST_CASE("key_lifetime: a filter that does not forget has no lifetime", "[unit]") {
  const FilterSpec spec{.num_bits = 64, .num_hashes = 2};
  REQUIRE_FALSE(lifetime_of(find_variant("standard"), spec));
}

}  // namespace bloometry
