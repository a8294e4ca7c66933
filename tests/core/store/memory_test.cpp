#include "core/store/memory.hpp"

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("borrowed_memory: a short or unaligned span is refused", "[core][store]") {
  AlignedWords lent(16);
  const std::span<std::uint64_t> all(lent.data(), 16);
  CHECK(BorrowedMemory{all}.allocate(16).data() == lent.data());
  CHECK_THROWS_AS(BorrowedMemory{all}.allocate(17), ConfigError);
  CHECK_THROWS_AS(BorrowedMemory{all.subspan(1)}.allocate(8), ConfigError);
}

}  // namespace bloometry
