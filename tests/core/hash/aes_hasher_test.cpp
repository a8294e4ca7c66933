#include "core/hash/aes_hasher.hpp"

#include <cstdint>
#include <string>

#include "core/hash/key_view.hpp"
#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Returns `size` pseudo-random bytes.
std::string key_of_size(std::size_t size) {
  std::string key;
  for (std::size_t i = 0; i < size; ++i) key.push_back(static_cast<char>(mix64(i)));
  return key;
}

}  // namespace

TEST_CASE("aes_rounds: equals the first round of FIPS 197, appendix B", "[core][hash][golden]") {
  // The bytes of the state are 19 3d e3 be a0 f4 e2 2b 9a c6 8d 2a e9 f8 48 08. The bytes of the
  // round key are a0 fa fe 17 88 54 2c b1 23 a3 39 39 2a 6c 76 05.
  const AesState state{0x2be2f4a0bee33d19ULL, 0x0848f8e92a8dc69aULL};
  const AesState round_key{0xb12c548817fefaa0ULL, 0x05766c2a3939a323ULL};
  CHECK(aes_rounds(state, round_key, 1) == AesState{0x2b359f68f27f9ca4ULL, 0x49506a0243ea5b6bULL});
  CHECK(aes_rounds(state, round_key, 0) == state);
  CHECK(aes_rounds(state, round_key, 2) ==
        aes_rounds(aes_rounds(state, round_key, 1), round_key, 1));
}

TEST_CASE("aes_hasher: AES instructions and software give equal digests", "[core][hash][isa]") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const AesHasher hasher(mix64(seed));
    for (std::size_t size = 0; size <= 200; ++size) {
      CAPTURE(seed, size);
      const std::string key = key_of_size(size);
      REQUIRE(hasher(key) == hasher.hash_by_software(key));
    }
  }
}

TEST_CASE("aes_hasher: an integer's digest is the AES rounds of key and start", "[core][hash]") {
  const AesHasher hasher(20261120);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t key = i < 64 ? std::uint64_t{1} << i : mix64(i);
    const AesState state = aes_rounds(AesState{key, 0} ^ hasher.integer_start(), hasher.round_key(),
                                      AesHasher::kNumRounds);
    REQUIRE(hasher(IntegerKey(key).view()) == Digest{state.lo, state.hi});
  }
}

}  // namespace bloometry
