#include "core/hash/splitmix64_xxh3_hasher.hpp"

#include <cstdint>
#include <string>

#include "core/hash/key_view.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("splitmix64_xxh3_hasher: lo of an integer's digest is mix64 of key xor start",
          "[core][hash]") {
  const SplitMix64Xxh3Hasher hasher(20261120);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t key = i < 64 ? std::uint64_t{1} << i : mix64(i);
    REQUIRE(hasher(IntegerKey(key).view()).lo == mix64(key ^ hasher.integer_start()));
  }
}

TEST_CASE("splitmix64_xxh3_hasher: keys of other lengths than eight bytes have the digest of xxh3",
          "[core][hash]") {
  for (std::size_t size = 0; size <= 300; ++size) {
    const std::string key(size, 'x');
    CAPTURE(size);
    REQUIRE((SplitMix64Xxh3Hasher(7)(key) == Xxh3Hasher(7)(key)) == (size != 8));
  }
}

}  // namespace bloometry
