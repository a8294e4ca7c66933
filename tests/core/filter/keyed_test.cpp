#include "core/filter/keyed.hpp"

#include <array>
#include <string>

#include "tests/support/catch.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {

TEST_CASE("keyed: strings, bytes and integers", "[core][filter]") {
  Keyed<StandardFilter> seen({.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  CHECK(seen.insert("a"));
  CHECK_FALSE(seen.insert("a"));
  CHECK(seen.contains("a"));
  CHECK_FALSE(seen.contains("b"));
  CHECK(seen.insert(42));
  CHECK(seen.contains(std::uint64_t{42}));
  CHECK(seen.contains(KeyView(std::string_view("\x2a\0\0\0\0\0\0\0", 8))));
  const std::array<std::byte, 1> bytes = {std::byte{'a'}};
  CHECK(seen.contains(std::span<const std::byte>(bytes)));
}

TEST_CASE("keyed: the empty key and keys with NUL are keys like others", "[core][filter]") {
  Keyed<StandardFilter> seen({.num_bits = 4096, .num_hashes = 5});
  const std::string nul("\0", 1);
  const std::string longer("a\0b", 3);
  CHECK_FALSE(seen.contains(""));
  CHECK(seen.insert(""));
  CHECK(seen.contains(""));
  CHECK_FALSE(seen.contains(nul));
  CHECK(seen.insert(longer));
  CHECK(seen.contains(longer));
  CHECK_FALSE(seen.contains("a"));
}

TEST_CASE("keyed: another seed, other bits", "[core][filter]") {
  const FilterSpec spec{.num_bits = 4096, .num_hashes = 5};
  Keyed<StandardFilter> one(spec, 1);
  Keyed<StandardFilter> two(spec, 2);
  Keyed<StandardFilter> again(spec, 1);
  one.insert("a");
  two.insert("a");
  again.insert("a");
  CHECK_FALSE(one.filter() == two.filter());
  CHECK(one.filter() == again.filter());
}

TEST_CASE("keyed: erase where the filter can", "[core][filter]") {
  Keyed<CountingFilter> seen({.num_counters = 4096, .num_hashes = 5});
  seen.insert("a");
  seen.insert(7);
  CHECK(seen.erase("a"));
  CHECK_FALSE(seen.erase("a"));
  CHECK(seen.erase(7));
  CHECK(seen.filter().state().num_ones == 0);
}

}  // namespace bloometry
