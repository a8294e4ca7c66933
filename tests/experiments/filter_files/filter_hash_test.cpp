#include "experiments/filter_files/filter_hash.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

std::vector<Digest> digests_of(const FilterHash& hash) {
  const std::vector<KeyView> keys = {"", "a", "bloometry"};
  std::vector<Digest> digests(keys.size());
  const HashCall call = hash.call();
  call.hash(call.hasher, keys, digests.data());
  return digests;
}

template <class H>
std::vector<Digest> digests_of_hasher(const H& hasher) {
  return {hasher(""), hasher("a"), hasher("bloometry")};
}

TEST_CASE("a hash chosen by name gives the digests of its hasher", "[filters]") {
  const FilterHash hash("xxh3", 7, std::nullopt);
  CHECK(digests_of(hash) == digests_of_hasher(Xxh3Hasher(7)));
  FileHeader header;
  hash.describe(header);
  CHECK(header.hash == "xxh3");
  CHECK(header.seed == 7);
  CHECK_FALSE(header.key_id);
  CHECK(digests_of(FilterHash::of(header, std::nullopt)) == digests_of(hash));
}

TEST_CASE("a header identifies a secret by its id, and another secret is refused", "[filters]") {
  const SipHashKey secret(0x0706050403020100, 0x0f0e0d0c0b0a0908);
  const FilterHash short_hash("siphash_2_4", std::nullopt, secret);
  const FilterHash hash("siphash_2_4_128", std::nullopt, secret);
  CHECK(digests_of(short_hash) == digests_of_hasher(SipHash24Hasher(secret)));
  CHECK(digests_of(hash) == digests_of_hasher(SipHash128Hasher(secret)));
  FileHeader header;
  hash.describe(header);
  CHECK_FALSE(header.seed);
  CHECK(header.key_id == SipHash128Hasher(secret).key_id());
  CHECK(digests_of(FilterHash::of(header, secret)) == digests_of(hash));
  CHECK_THROWS_AS(FilterHash::of(header, SipHashKey(1, 2)), ConfigError);
  CHECK_THROWS_AS(FilterHash::of(header, std::nullopt), ConfigError);
}

TEST_CASE("seeds and secrets that do not fit the hash are refused", "[filters]") {
  const SipHashKey secret(1, 2);
  CHECK_THROWS_AS(FilterHash("xxh3", std::nullopt, secret), ConfigError);
  CHECK_THROWS_AS(FilterHash("siphash_2_4", std::nullopt, std::nullopt), ConfigError);
  CHECK_THROWS_AS(FilterHash("siphash_2_4", 3, secret), ConfigError);
  CHECK_THROWS_AS(FilterHash("crc32", 3, std::nullopt), ConfigError);
  CHECK_THROWS_AS(FilterHash("sha1", std::nullopt, std::nullopt), ConfigError);
}

TEST_CASE("a secret file has 32 hexadecimal digits, and errors do not print it", "[filters]") {
  const test::TempFolder folder;
  const auto path = folder / "secret";
  test::write_text(path, "000102030405060708090a0b0c0D0E0F\n");
  CHECK(read_secret(path) == SipHashKey(0x0706050403020100, 0x0f0e0d0c0b0a0908));
  for (const char* text :
       {"", "00", "000102030405060708090a0b0c0d0e0g", "000102030405060708090a0b0c0d0e0f00"}) {
    test::write_text(path, text);
    const std::string message =
        test::message_of<ConfigError>([&] { static_cast<void>(read_secret(path)); });
    CHECK(test::contains_text(message, "must be a file with 32 hexadecimal digits"));
    CHECK((*text == '\0' || !test::contains_text(message, text)));  // no secret in the message
  }
}

}  // namespace
}  // namespace bloometry
