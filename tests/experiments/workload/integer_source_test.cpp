#include "experiments/workload/integer_source.hpp"

#include <bit>
#include <set>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("integer source: the name selects the key of an item", "[workload]") {
  const std::uint64_t item = 0x0001'0000'0000'1234U;
  CHECK(IntegerSource("random", 7).value(item) == RandomKeys(7).value(item));
  CHECK(IntegerSource("sequential", 7).value(item) == item);
  CHECK(IntegerSource("strided", 7).value(item) == std::rotl(item, 16));
  CHECK(IntegerSource("top_10_bits", 7).value(item) == std::rotr(item, 10));
}

TEST_CASE("integer source: every listed name selects its own keys", "[workload]") {
  std::set<std::uint64_t> keys;
  for (const std::string& name : integer_sources()) keys.insert(IntegerSource(name, 1).value(3));
  CHECK(keys.size() == integer_sources().size());
}

TEST_CASE("integer source: an unknown name is refused", "[workload]") {
  CHECK_THROWS_WITH(IntegerSource("text", 1),
                    "keys must be one of random, sequential, strided, high_half, thousands, "
                    "top_16_bits, top_10_bits, both_halves, got 'text'");
}
