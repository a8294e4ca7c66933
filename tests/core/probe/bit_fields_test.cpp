#include "core/probe/bit_fields.hpp"

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("bit_fields: positions are consecutive fields of the word, the lowest first",
          "[core][probe]") {
  constexpr std::uint64_t kLo = 0x0123456789abcdef;
  for (const unsigned a : {1U, 5U, 7U, 8U, 9U, 10U, 32U}) {
    const std::uint64_t range = std::uint64_t{1} << a;
    BitFieldProbes probes({kLo, 0}, range);
    for (unsigned word = 0; word < 3; ++word) {
      const std::uint64_t bits = BitFieldProbes::word(kLo, word);
      for (unsigned field = 0; field < 64 / a; ++field) {
        CAPTURE(a, word, field);
        CHECK(probes.next(range) == (bits >> (a * field)) % range);
      }
    }
  }
}

TEST_CASE("bit_fields: word 0 is lo, later words are folded products", "[core][probe]") {
  // The expected fields were computed with Python's integers: (x * m >> 64) ^ (x * m mod 2^64), x =
  // lo ^ j golden.
  constexpr std::uint64_t kLo = 0x0123456789abcdef;
  CHECK(BitFieldProbes::word(kLo, 0) == kLo);
  CHECK(BitFieldProbes::word(kLo, 1) == 0x05bba3abad37938b);
  CHECK(BitFieldProbes::word(kLo, 2) == 0x8614a2db7d131edf);
}

TEST_CASE("bit_fields: positions do not depend on hi", "[core][probe]") {
  BitFieldProbes one({42, 1}, 512);
  BitFieldProbes other({42, 2}, 512);
  for (int i = 0; i < 40; ++i) CHECK(one.next(512) == other.next(512));
}

}  // namespace bloometry
