#include "core/store/memory.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("aligned_words: start at a cache line and are zero", "[core][store]") {
  const AlignedWords words(100);
  CHECK(reinterpret_cast<std::uintptr_t>(words.data()) % kCacheLineBytes == 0);
  for (std::uint64_t i = 0; i < words.size(); ++i) CHECK(words.data()[i] == 0);
}

TEST_CASE("aligned_words: a copy does not share words", "[core][store]") {
  AlignedWords words(3);
  words.data()[1] = 7;
  AlignedWords copy = words;
  copy.data()[1] = 8;
  CHECK(words.data()[1] == 7);
  words = copy;
  CHECK(words.data()[1] == 8);
}

TEST_CASE("aligned_words: a size that no machine has is refused, not wrapped", "[core][store]") {
  CHECK_THROWS_AS(AlignedWords(~std::uint64_t{0}), std::bad_alloc);
  CHECK_THROWS_AS(AlignedWords(std::uint64_t{1} << 61U), std::bad_alloc);
}

TEST_CASE("borrowed_memory: a short or unaligned span is refused", "[core][store]") {
  AlignedWords lent(16);
  const std::span<std::uint64_t> all(lent.data(), 16);
  CHECK(BorrowedMemory{all}.take(16).data() == lent.data());
  CHECK_THROWS_AS(BorrowedMemory{all}.take(17), ConfigError);
  CHECK_THROWS_AS(BorrowedMemory{all.subspan(1)}.take(8), ConfigError);
}

}  // namespace bloometry
