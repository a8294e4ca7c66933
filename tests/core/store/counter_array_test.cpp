#include "core/store/counter_array.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("counter_array: every width behaves like an array of integers", "[core][store]") {
  for (unsigned counter_bits = 1; counter_bits <= 16; ++counter_bits) {
    CAPTURE(counter_bits);
    CounterArray<> counters(77, counter_bits);
    std::vector<unsigned> model(77, 0);
    std::mt19937_64 random(counter_bits);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t position = random() % 77;
      const auto value = static_cast<unsigned>(random() & counters.max_value());
      counters.set(position, value);
      model[position] = value;
    }
    for (std::uint64_t i = 0; i < 77; ++i) CHECK(counters.get(i) == model[i]);
    CHECK(counters.num_bits() == 77 * counter_bits);
  }
}

TEST_CASE("counter_array: additions stop at the maximum", "[core][store]") {
  CounterArray<> counters(3, 4);
  CHECK(counters.add_saturating(1, 9) == 0);
  CHECK(counters.add_saturating(1, 6) == 9);
  CHECK(counters.add_saturating(1, 1) == 15);
  CHECK(counters.add_saturating(1, 1000) == 15);
  CHECK(counters.get(0) == 0);
  CHECK(counters.get(2) == 0);
}

TEST_CASE("counter_array: counts non-zero and saturated counters", "[core][store]") {
  for (unsigned counter_bits = 1; counter_bits <= 16; ++counter_bits) {
    for (std::uint64_t size = 1; size <= 70; ++size) {
      AlignedWords lent(CounterArray<>::num_words_for(size, counter_bits));
      CounterArray<BorrowedMemory> counters(size, counter_bits,
                                            {std::span(lent.data(), lent.size())});
      // The bits after the last counter must not be counted.
      std::fill_n(lent.data(), lent.size(), ~std::uint64_t{0});
      const unsigned max = counters.max_value();
      std::uint64_t num_nonzero = 0;
      std::uint64_t num_saturated = 0;
      for (std::uint64_t i = 0; i < size; ++i) {
        const auto value = static_cast<unsigned>(i * 7919 % (max + 1));
        counters.set(i, value);
        num_nonzero += value > 0 ? 1 : 0;
        num_saturated += value == max ? 1 : 0;
      }
      CAPTURE(counter_bits, size);
      REQUIRE(counters.count_nonzero() == num_nonzero);
      REQUIRE(counters.count_saturated() == num_saturated);
      counters.clear();
      REQUIRE(counters.count_nonzero() == 0);
    }
  }
}

TEST_CASE("counter_array: two 4-bit counters share a byte, the even one low", "[core][store]") {
  AlignedWords lent(CounterArray<>::num_words_for(2, 4));
  CounterArray<BorrowedMemory> counters(2, 4, {std::span(lent.data(), lent.size())});
  counters.set(0, 0xa);
  counters.set(1, 0xb);
  CHECK(lent.data()[0] == 0xba);
}

TEST_CASE("counter_array: widths outside 1..16 are refused", "[core][store]") {
  CHECK_THROWS_AS(CounterArray<>(10, 0), ConfigError);
  CHECK_THROWS_AS(CounterArray<>(10, 17), ConfigError);
}

TEST_CASE("counter_array: the last counter can be reached at every width", "[core][store]") {
  for (unsigned counter_bits = 1; counter_bits <= 16; ++counter_bits) {
    for (std::uint64_t size = 1; size <= 130; ++size) {
      CounterArray<> counters(size, counter_bits);
      counters.set(size - 1, counters.max_value());
      if (counters.get(size - 1) != counters.max_value()) FAIL(counter_bits << " " << size);
    }
  }
  SUCCEED();
}

TEST_CASE("counter_array: merge adds and stops at the maximum", "[core][store]") {
  for (const unsigned counter_bits : {1U, 3U, 4U, 7U, 16U}) {
    CounterArray<> a(201, counter_bits);
    CounterArray<> b(201, counter_bits);
    const unsigned max = a.max_value();
    for (std::uint64_t i = 0; i < 201; ++i) {
      a.set(i, static_cast<unsigned>(i * 7919 % (max + 1)));
      b.set(i, static_cast<unsigned>(i * 104729 % (max + 1)));
    }
    CounterArray<> sum = a;
    sum.merge(b);
    std::uint64_t num_nonzero = 0;
    for (std::uint64_t i = 0; i < 201; ++i) {
      CHECK(sum.get(i) == std::min(max, a.get(i) + b.get(i)));
      num_nonzero += sum.get(i) > 0 ? 1 : 0;
    }
    CHECK(a.count_nonzero_either(b) == num_nonzero);
  }
}

TEST_CASE("counter_array: a view changes and reads the counters of its array", "[core][store]") {
  for (const unsigned counter_bits : {1U, 3U, 4U, 7U, 16U}) {
    CounterArray<> counters(200, counter_bits);
    auto view = counters.view();
    CHECK(view.max_value() == counters.max_value());
    for (std::uint64_t i = 0; i < 200; i += 3) CHECK(view.increment(i) == 0);
    const auto read_only = std::as_const(counters).view();
    for (std::uint64_t i = 0; i < 200; ++i) {
      CHECK(counters.get(i) == (i % 3 == 0 ? 1 : 0));
      CHECK(read_only.get(i) == counters.get(i));
    }
  }
}

}  // namespace bloometry
