// Tests the sizes that specs of rotating filters give, and the specs that are refused.

#include <cstdint>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/rotating_specs.hpp"
#include "variants/rotating/rotating_filter.hpp"

namespace bloometry {
namespace {

using test::message_of;
using test::RotatingShape;

}  // namespace

TEST_CASE("rotating: the window gives the generations, whose size is rounded up to equal parts",
          "[rotating]") {
  const auto g = [](std::uint64_t window, double num_generations) {
    return rotating_settings({.capacity = window,
                              .target_false_positive_rate = 0.01,
                              .params = {{"generations", num_generations}}})
        .generation_capacity;
  };
  CHECK(g(1, 8) == 1);
  CHECK(g(2, 8) == 1);
  CHECK(g(8, 8) == 1);
  CHECK(g(9, 8) == 2);
  CHECK(g(1001, 2) == 1000);
  CHECK(g(1001, 64) == 16);
  for (std::uint64_t window = 1; window < 300; ++window) {
    for (const unsigned num_generations : {2U, 3U, 8U, 64U}) {
      const std::uint64_t capacity = generation_capacity_for(window, num_generations);
      REQUIRE((num_generations - 1) * capacity + 1 >= window);
      if (capacity > 1) REQUIRE((num_generations - 1) * (capacity - 1) + 1 < window);
    }
  }
  const Geometry geometry =
      RotatingFilter::geometry({.capacity = 100, .num_bits = 1001, .num_hashes = 3});
  CHECK(geometry == Geometry{1008, 1, 3});
  const Geometry lanes = RotatingFilter::geometry(
      {.capacity = 100, .num_bits = 8 * 512 + 1, .params = {{"generation", std::string("lanes")}}});
  CHECK(lanes == Geometry{8 * 1024, 1, 8, 512});
}

TEST_CASE("rotating: a spec without a window or with a contradiction is refused by name",
          "[rotating]") {
  const auto complaint = [](const FilterSpec& spec) {
    return message_of<ConfigError>([&] { RotatingFilter{spec}; });
  };
  const std::string no_window =
      "capacity must be given for rotating, unless generation_capacity is: the number of insert "
      "calls of the window";
  CHECK(complaint({.num_bits = 800, .num_hashes = 3}) == no_window);
  CHECK(complaint({.num_bits = 800}) == no_window);
  CHECK(complaint({.target_false_positive_rate = 0.1}) == no_window);
  CHECK(complaint({.capacity = 0, .target_false_positive_rate = 0.1}) ==
        "capacity must be at least 1, got 0");
  CHECK(complaint({.capacity = 100,
                   .target_false_positive_rate = 0.1,
                   .params = {{"generation_capacity", 3.0}}}) ==
        "generation_capacity must be at least 15 for a window of 100 insert calls, got 3");
  CHECK(
      complaint(
          {.capacity = 100, .target_false_positive_rate = 0.1, .params = {{"generations", 1.0}}}) ==
      "generations must be a whole number in [2, 64], got 1");
  CHECK(complaint({.capacity = 100,
                   .num_bits = 4096,
                   .num_hashes = 7,
                   .params = {{"generation", std::string("lanes")}}}) ==
        "num_hashes must be 8, got 7");
  using Distinct = RotatingFilter::WithProbes<DistinctProbes>;
  CHECK(message_of<ConfigError>([] {
          Distinct({.capacity = 10,
                    .target_false_positive_rate = 0.1,
                    .params = {{"generation", std::string("blocked")}}});
        }) ==
        "generation must be standard with probes distinct, got blocked, which has probes of "
        "its own");
  CHECK(message_of<ConfigError>([] {
          Distinct({.capacity = 10, .num_bits = 16, .num_hashes = 3});
        }) == "num_hashes must be at most 2, the number of cells, with distinct probes, got 3");
}

TEST_CASE("rotating: extreme windows and rates are sized or refused by a clear line",
          "[rotating]") {
  const auto settings = [](std::uint64_t window, double rate, const char* kind) {
    return rotating_settings({.capacity = window,
                              .target_false_positive_rate = rate,
                              .params = {{"generation", std::string(kind)}}});
  };
  for (const char* kind : {"standard", "blocked", "lanes"}) {
    CAPTURE(kind);
    CHECK(settings(1, 0.5, kind).whole().num_cells >= 8);
    CHECK(settings(1, 1e-14, kind).generation_capacity == 1);
    CHECK(settings(std::uint64_t{1} << 32U, 0.01, kind).whole().num_bits() > std::uint64_t{1}
                                                                                 << 35U);
  }
  const RotatingShape of_one_bit{
      .num_generations = 64, .generation_capacity = 1, .bits_per_generation = 1, .num_hashes = 64};
  RotatingFilter one_bit(of_one_bit.spec());
  one_bit.insert({1, 2});
  CHECK(one_bit.contains({3, 4}));
  CHECK(one_bit.state().conditional_false_positive_rate == 1);
  for (int i = 0; i < 64; ++i) one_bit.tick();
  CHECK_FALSE(one_bit.contains({1, 2}));
  CHECK(settings(1, 1e-30, "standard").generation_capacity == 1);
  CHECK(message_of<ConfigError>([&] { (void)settings(1, 1e-30, "lanes"); }) ==
        "target_false_positive_rate must give between 1 and 2^57 cells per generation, got 1e-30");
  CHECK(message_of<ConfigError>([&] {
          (void)settings(std::numeric_limits<std::uint64_t>::max(), 0.01, "standard");
        }).find("capacity must give at most 2^53 inserts per generation") == 0);
}

}  // namespace bloometry
