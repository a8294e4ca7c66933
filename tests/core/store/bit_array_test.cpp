#include "core/store/bit_array.hpp"

#include <set>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("bit_array: count equals the number of distinct set positions", "[core][store]") {
  for (const std::uint64_t num_bits : {1, 63, 64, 65, 1000}) {
    BitArray<> bits(num_bits);
    std::set<std::uint64_t> set;
    for (std::uint64_t i = 0; i < 500; ++i) {
      const std::uint64_t position = i * 7919 % num_bits;
      CHECK(bits.set(position) == set.insert(position).second);
    }
    CHECK(bits.count() == set.size());
    for (std::uint64_t i = 0; i < num_bits; ++i) CHECK(bits.test(i) == set.contains(i));
  }
}

TEST_CASE("bit_array: count of a range equals its bits one by one", "[core][store]") {
  BitArray<> bits(200);
  for (std::uint64_t i = 0; i < 200; i += 3) bits.set(i);
  for (std::uint64_t first = 0; first <= 200; ++first) {
    std::uint64_t expected = 0;
    for (std::uint64_t last = first; last <= 200; ++last) {
      if (last > first) expected += bits.test(last - 1) ? 1 : 0;
      if (bits.count(first, last) != expected) FAIL(first << ".." << last);
    }
  }
  SUCCEED();
}

TEST_CASE("bit_array: clear of a range unsets its bits and no others", "[core][store]") {
  const auto is_set = [](std::uint64_t i) { return i % 3 != 1; };
  for (std::uint64_t first = 0; first <= 200; ++first) {
    for (std::uint64_t last = first; last <= 200; ++last) {
      BitArray<> bits(200);
      BitArray<> expected(200);
      for (std::uint64_t i = 0; i < 200; ++i) {
        if (!is_set(i)) continue;
        bits.set(i);
        if (i < first || i >= last) expected.set(i);
      }
      bits.clear(first, last);
      if (bits != expected) FAIL(first << ".." << last);
    }
  }
  SUCCEED();
}

TEST_CASE("bit_array: bit i is bit i mod 64 of word i / 64", "[core][store]") {
  BitArray<> bits(130);
  bits.set(65);
  REQUIRE(bits.words().size() == 3);
  CHECK(bits.words()[0] == 0);
  CHECK(bits.words()[1] == 2);
}

TEST_CASE("bit_array: clear unsets all bits, copies are independent, equality compares bits",
          "[core][store]") {
  BitArray<> bits(100);
  bits.set(99);
  BitArray<> copy = bits;
  CHECK(copy == bits);
  copy.clear();
  CHECK(copy.count() == 0);
  CHECK(bits.test(99));
  CHECK_FALSE(copy == bits);
  CHECK_FALSE(BitArray<>(100) == BitArray<>(101));
}

TEST_CASE("bit_array: borrowed words are written in place and kept as they are", "[core][store]") {
  AlignedWords lent(2);
  BitArray<BorrowedMemory> bits(128, {std::span(lent.data(), 2)});
  bits.set(64);
  CHECK(lent.data()[1] == 1);
  const BitArray<BorrowedMemory> again(128, {std::span(lent.data(), 2)});
  CHECK(again.test(64));
}

TEST_CASE("bit_array: positions beyond 2^32 work", "[core][store][big]") {
  // The array has 512 MiB. Zeroing the array needs one or two seconds.
  const std::uint64_t num_bits = (std::uint64_t{1} << 32U) + 64;
  BitArray<> bits(num_bits);
  CHECK(bits.set(0));
  CHECK(bits.set(num_bits - 1));
  CHECK(bits.set(std::uint64_t{1} << 32U));
  CHECK_FALSE(bits.test(63));  // would be set if indices were truncated to 32 bits
  CHECK(bits.count() == 3);
  CHECK(bits.count(std::uint64_t{1} << 32U, num_bits) == 2);
}

TEST_CASE("bit_array: merge, intersect and count_either work bit by bit", "[core][store]") {
  for (const std::uint64_t num_bits : {1, 63, 64, 65, 1000}) {
    BitArray<> a(num_bits);
    BitArray<> b(num_bits);
    for (std::uint64_t i = 0; i < num_bits; i += 3) a.set(i);
    for (std::uint64_t i = 0; i < num_bits; i += 5) b.set(i);
    BitArray<> either = a;
    either.merge(b);
    BitArray<> both = a;
    both.intersect(b);
    for (std::uint64_t i = 0; i < num_bits; ++i) {
      CHECK(either.test(i) == (i % 3 == 0 || i % 5 == 0));
      CHECK(both.test(i) == (i % 15 == 0));
    }
    CHECK(a.count_either(b) == either.count());
    CHECK(a.count() == (num_bits + 2) / 3);  // unchanged
  }
}

TEST_CASE("bit_array: a view sets and tests the bits of its array", "[core][store]") {
  BitArray<> bits(1000);
  auto view = bits.view();
  CHECK(view.size() == 1000);
  for (std::uint64_t i = 0; i < 1000; i += 7) CHECK(view.set(i));
  const auto read_only = std::as_const(bits).view();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    CHECK(bits.test(i) == (i % 7 == 0));
    CHECK(read_only.test(i) == (i % 7 == 0));
  }
  CHECK_FALSE(view.set(994));
}

}  // namespace bloometry
