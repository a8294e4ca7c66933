#include "core/store/fold.hpp"

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("fold: ORs the parts, or the neighbours of each run", "[core][store]") {
  for (const std::uint64_t num_bits : {60U, 64U, 128U, 210U, 1024U}) {
    BitArray<> bits(num_bits);
    for (std::uint64_t i = 0; i < num_bits; i += 1 + i % 11) bits.set(i);
    for (std::uint64_t d = 1; d <= num_bits; ++d) {
      if (num_bits % d != 0) continue;
      const std::uint64_t size = num_bits / d;
      BitArray<> parts(size);
      BitArray<> runs(size);
      for (std::uint64_t j = 0; j < size; ++j) {
        for (std::uint64_t i = 0; i < d; ++i) {
          if (bits.test(i * size + j)) parts.set(j);
          if (bits.test(j * d + i)) runs.set(j);
        }
      }
      CAPTURE(num_bits, d);
      CHECK(folded<FoldRule::kModulo>(bits, d) == parts);
      CHECK(folded<FoldRule::kFastrange>(bits, d) == runs);
    }
  }
}

TEST_CASE("fold: refuses numbers that are not divisors", "[core][store]") {
  CHECK_NOTHROW(require_divisor(3, "num_bits", 12));
  CHECK_NOTHROW(require_divisor(12, "num_bits", 12));
  CHECK_THROWS_WITH(require_divisor(5, "num_bits", 12),
                    "fold divisor must divide num_bits 12, got 5");
  CHECK_THROWS_AS(require_divisor(0, "num_bits", 12), ConfigError);
  CHECK_THROWS_AS(require_divisor(24, "num_bits", 12), ConfigError);
}

}  // namespace bloometry
