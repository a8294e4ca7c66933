#include "core/hash/xxh3_hasher.hpp"

#include "core/hash/key_view.hpp"
#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

namespace bloometry {

TEST_CASE("xxh3_hasher: digests equal those of the shared library, for every key and seed",
          "[core][hash][golden]") {
  const auto records = test::golden_records("digests.json");
  REQUIRE(records.size() == 48);
  for (const auto& record : records) {
    const std::string key = test::bytes_of_hex(record["key"]);
    const Xxh3Hasher hasher(test::word_of_hex(record["seed"]));
    CAPTURE(test::text_of(record));
    CHECK(hasher(key) == Digest{test::word_of_hex(record["lo"]), test::word_of_hex(record["hi"])});
  }
}

TEST_CASE("xxh3_hasher: equals the known answer of the empty key with seed 0",
          "[core][hash][golden]") {
  // The expected digest is the XXH128 of the empty input, as printed by `xxhsum -H2 < /dev/null`
  // (version 0.8.1).
  CHECK(Xxh3Hasher(0)(KeyView()) == Digest{0x6001c324468d497fULL, 0x99aa06d3014798d8ULL});
}

TEST_CASE("xxh3_hasher: the short form for integers equals the library's hash of eight bytes",
          "[core][hash]") {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t key = i < 64 ? std::uint64_t{1} << i : mix64(i);
    const std::uint64_t seed = i % 3 == 0 ? i : mix64(~i);
    const IntegerKey bytes(key);
    const XXH128_hash_t expected = XXH3_128bits_withSeed(bytes.view().data(), 8, seed);
    const Digest digest = Xxh3Hasher(seed)(bytes.view());
    if (digest != Digest{expected.low64, expected.high64}) FAIL("key " << key << " seed " << seed);
  }
}

TEST_CASE("xxh3_hasher: no seed means seed 0", "[core][hash]") {
  CHECK(Xxh3Hasher()("abc") == Xxh3Hasher(0)("abc"));
  CHECK_FALSE(Xxh3Hasher(0)("abc") == Xxh3Hasher(1)("abc"));
}

}  // namespace bloometry
