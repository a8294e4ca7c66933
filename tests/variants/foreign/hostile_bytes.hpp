#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry::test {

// For damaged bytes, a reader must throw a ConfigError that names the format, or return the filter
// that the bytes represent. Serializing a returned filter must give the same bytes.

/// Returns whether `parse` accepts the bytes. Serializing an accepted filter must give the same
/// bytes. An error must name `field`.
template <class Parse, class Serialize>
bool is_accepted(std::string_view bytes, std::string_view field, Parse parse, Serialize serialize) {
  try {
    const auto filter = parse(bytes);
    CHECK(serialize(filter) == bytes);
    return true;
  } catch (const ConfigError& error) {
    REQUIRE(error.problems().size() == 1);
    CHECK(error.problems().front().field == field);
    return false;
  }
}

/// Checks that `parse` rejects every proper prefix of the bytes, and the bytes followed by more
/// bytes.
template <class Parse, class Serialize>
void check_other_lengths(const std::string& bytes, std::string_view field, Parse parse,
                         Serialize serialize) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(is_accepted(std::string_view(bytes).substr(0, size), field, parse, serialize));
  }
  for (const std::size_t more : {1, 7, 8, 64}) {
    CAPTURE(more);
    CHECK_FALSE(is_accepted(bytes + std::string(more, '\0'), field, parse, serialize));
  }
}

/// Flips each bit in turn. Checks that `parse` accepts the changed bytes if and only if
/// may_be(byte, bit) is true.
template <class Parse, class Serialize, class MayBe>
void check_bit_flips(const std::string& bytes, std::string_view field, Parse parse,
                     Serialize serialize, MayBe may_be) {
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      CAPTURE(byte, bit);
      std::string flipped = bytes;
      flipped[byte] = static_cast<char>(flipped[byte] ^ (1U << bit));
      CHECK(is_accepted(flipped, field, parse, serialize) == may_be(byte, bit));
    }
  }
}

/// Overwrites one to three bytes with random values and calls is_accepted() for the damaged bytes.
/// Repeats the damage 20,000 times.
template <class Parse, class Serialize>
void check_random_damage(const std::string& bytes, std::string_view field, Parse parse,
                         Serialize serialize) {
  std::uint64_t word = kGoldenGamma;
  const auto draw = [&word](std::uint64_t range) { return mix64(word += kGoldenGamma) % range; };
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = bytes;
    for (std::uint64_t left = 1 + draw(3); left > 0; --left) {
      damaged[draw(damaged.size())] = static_cast<char>(draw(4) == 0 ? 0xffU : draw(256));
    }
    is_accepted(damaged, field, parse, serialize);
  }
}

}  // namespace bloometry::test
