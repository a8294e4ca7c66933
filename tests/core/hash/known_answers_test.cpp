// Compares hashes with the test vectors of their definitions, and digests with digests that Python
// computed.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/study_hash/all_hashers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

namespace bloometry {
namespace {

/// Returns the MD5 digest as RFC 1321 prints it: the words A, B, C and D, with the low byte of each
/// word first.
std::string md5_hex(KeyView message) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::uint32_t word : md5(message)) {
    for (int i = 0; i < 4; ++i, word >>= 8U) {
      text.push_back(kDigits[word >> 4U & 0xfU]);
      text.push_back(kDigits[word & 0xfU]);
    }
  }
  return text;
}

using DigestOf = Digest (*)(std::uint64_t seed, KeyView key);

template <class... Hs>
std::map<std::string, DigestOf> hashers_by_name(std::type_identity<HasherList<Hs...>>) {
  return {{std::string(Hs::kName),
           [](std::uint64_t seed, KeyView key) { return hasher_of_seed<Hs>(seed)(key); }}...};
}

}  // namespace

TEST_CASE("all_hashers: digests equal those written in Python, for every key and seed",
          "[core][hash][golden]") {
  const auto hashers = hashers_by_name(std::type_identity<AllHashers>{});
  std::map<std::string, int> num_checked;
  for (const auto& record : test::golden_records("hasher_digests.json")) {
    CAPTURE(test::text_of(record));
    const auto name = record["hash"].get<std::string>();
    const Digest expected{test::word_of_hex(record["lo"]), test::word_of_hex(record["hi"])};
    const std::string key = test::bytes_of_hex(record["key"]);
    CHECK(hashers.at(name)(test::word_of_hex(record["seed"]), key) == expected);
    ++num_checked[name];
  }
  CHECK(num_checked.size() == std::tuple_size_v<AllHashers>);
}

TEST_CASE("md5: equals the test suite of RFC 1321", "[core][hash][golden]") {
  CHECK(md5_hex("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(md5_hex("a") == "0cc175b9c0f1b6a831c399e269772661");
  CHECK(md5_hex("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(md5_hex("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(md5_hex("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
  CHECK(md5_hex("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
        "d174ab98d277d9f5a5611c2c9f419d9f");
  CHECK(
      md5_hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
      "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("md5: the padding takes one block up to 55 bytes, two from 56 on",
          "[core][hash][golden]") {
  // The expected digests are the output of md5sum (coreutils 9.1) for the given number of letters
  // a.
  CHECK(md5_hex(std::string(55, 'a')) == "ef1772b6dff9a122358552954ad0df65");
  CHECK(md5_hex(std::string(56, 'a')) == "3b0c8ac703f828b04c6c197006d17218");
  CHECK(md5_hex(std::string(63, 'a')) == "b06521f39153d618550606be297466d5");
  CHECK(md5_hex(std::string(64, 'a')) == "014842d480b571495a4a0363793f7367");
  CHECK(md5_hex(std::string(119, 'a')) == "8a7bd0732ed6a28ce75f6dabc90e1613");
  CHECK(md5_hex(std::string(120, 'a')) == "5f61c0ccad4cac44c75ff505e1f1e537");
}

TEST_CASE("md5_split: the words are the halves of the MD5 digest, read little-endian",
          "[core][hash]") {
  // The MD5 digest of "abc" is 900150983cd24fb0 d6963f7d28e17f72.
  CHECK(Md5SplitHasher()("abc") == Digest{0xb04fd23c98500190ULL, 0x727fe1287d3f96d6ULL});
}

TEST_CASE("crc32: equals the check value of the CRC catalogue", "[core][hash][golden]") {
  static_assert(crc32("123456789") == 0xcbf43926U);
  static_assert(crc32("") == 0);
  CHECK(crc32("The quick brown fox jumps over the lazy dog") == 0x414fa339U);
}

TEST_CASE("fnv1_64: equals the vectors of its authors", "[core][hash][golden]") {
  static_assert(fnv1_64("") == 0xcbf29ce484222325ULL);
  static_assert(fnv1_64("a") == 0xaf63bd4c8601b7beULL);
  CHECK(fnv1_64("foobar") == 0x340d8765a4dda9c2ULL);
}

TEST_CASE("xxh64: equals the library's sanity check with a seed", "[core][hash][golden]") {
  CHECK(xxh64("", 2654435761U) == 0xac75fda2929b17efULL);
}

TEST_CASE("siphash: equals the vectors of its authors, for every length", "[core][hash][golden]") {
  const auto records = test::golden_records("siphash.json");
  REQUIRE(records.size() == 64);
  constexpr SipHashKey kKey{0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL};  // bytes 00 01 .. 0f
  std::string message;
  for (const auto& record : records) {
    CAPTURE(test::text_of(record));
    REQUIRE(record["length"] == message.size());
    CHECK(siphash_2_4(message, kKey) == test::word_of_hex(record["hash"]));
    const Digest wide = siphash_2_4_128(message, kKey);
    CHECK(wide.lo == test::word_of_hex(record["lo"]));
    CHECK(wide.hi == test::word_of_hex(record["hi"]));
    message.push_back(static_cast<char>(message.size()));
  }
  // The expected hash is in Appendix A of the paper, and was also calculated by hand.
  CHECK(siphash_2_4(message.substr(0, 15), kKey) == 0xa129ca6149be45e5ULL);
  // The first entry of vectors_sip128 is a3 81 7f 04 ba 25 a8 e6 6d f6 72 14 c7 55 02 93.
  CHECK(siphash_2_4_128("", kKey) == Digest{0xe6a825ba047f81a3ULL, 0x930255c71472f66dULL});
}

TEMPLATE_TEST_CASE("siphash: both words of the secret change the digest", "[core][hash]",
                   SipHash24Hasher, SipHash128Hasher) {
  const Digest digest = TestType(SipHashKey{1, 2})("abc");
  CHECK_FALSE(TestType(SipHashKey{1, 3})("abc") == digest);
  CHECK_FALSE(TestType(SipHashKey{0, 2})("abc") == digest);
}

TEST_CASE("siphash_key: random keys differ in both words", "[core][hash]") {
  // A true random generator gives equal words once in 10^18 runs.
  const SipHashKey one = SipHashKey::random();
  const SipHashKey two = SipHashKey::random();
  CHECK(one.k0 != two.k0);
  CHECK(one.k1 != two.k1);
  CHECK(one.k0 != one.k1);
}

}  // namespace bloometry
