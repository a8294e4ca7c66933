#include <cstddef>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {

TEST_CASE("sizing: solve_all answers for every variant, with the nearest answers",
          "[variants][sizing]") {
  const SizeRequest request = {
      .num_keys = 1000, .rate = 0.01, .num_bits = 5000, .needs = {"merge"}};
  const std::vector<VariantAnswer> answers = solve_all(request);
  REQUIRE(answers.size() == all_variant_infos().size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const VariantInfo& variant = all_variant_infos()[i];
    const auto& [answer, nearest] = answers[i];
    CAPTURE(variant.name, answer.refusal);
    CHECK(answer.variant == variant.name);
    CHECK_FALSE(answer.is_sized());
    // A variant that does not meet the needs has no nearest answer.
    CHECK(nearest.has_value() == variant.can(Operation::kMerge));
    if (!nearest) continue;
    CHECK(nearest->size_needed.value().num_bits() > 5000);
    CHECK(nearest->keys_that_fit.value().num_keys < 1000);
    CHECK(nearest->rate_reached.value().rate > 0.01);
  }
  CHECK_FALSE(best_answer(request, answers).has_value());
  CHECK_THROWS_WITH(solve_all({.num_keys = 10, .rate = 0.1, .probes = "nosuch"}),
                    Catch::Matchers::StartsWith("probes must be one of remix, independent, ") &&
                        Catch::Matchers::EndsWith("digest_words, got 'nosuch'"));
}

TEST_CASE("sizing: bits per key of a request that cannot be met are a memory",
          "[variants][sizing]") {
  const auto answers = solve_all({.num_keys = 1000, .rate = 1e-6, .bits_per_key = 8.0});
  const auto by_memory = solve_all({.num_keys = 1000, .rate = 1e-6, .num_bits = 8000});
  REQUIRE(answers.size() == by_memory.size());
  bool has_nearest = false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    REQUIRE(answers[i].nearest.has_value() == by_memory[i].nearest.has_value());
    if (!answers[i].nearest) continue;
    const auto& fits = answers[i].nearest->keys_that_fit;
    const auto& fits_by_memory = by_memory[i].nearest->keys_that_fit;
    REQUIRE(fits.has_value() == fits_by_memory.has_value());
    if (fits) CHECK(fits->num_keys == fits_by_memory->num_keys);
    has_nearest |= fits.has_value();
  }
  CHECK(has_nearest);
}

TEST_CASE("sizing: the best answer has the least memory, the most keys or the lowest rate",
          "[variants][sizing]") {
  const auto best = [](const SizeRequest& request) {
    return best_answer(request, solve_all(request)).value();
  };
  const auto is_best = [](const SizeRequest& request, auto is_no_better) {
    for (const auto& [answer, nearest] : solve_all(request)) {
      if (answer.is_sized()) CHECK(is_no_better(answer));
    }
  };
  const SizeRequest for_size = {.num_keys = 1000, .rate = 0.01};
  const SizeAnswer smallest = best(for_size);
  is_best(for_size,
          [&](const SizeAnswer& other) { return other.num_bits() >= smallest.num_bits(); });
  const SizeRequest for_keys = {.rate = 0.01, .num_bits = 20'000};
  const SizeAnswer fullest = best(for_keys);
  is_best(for_keys, [&](const SizeAnswer& other) { return other.num_keys <= fullest.num_keys; });
  const SizeRequest for_rate = {.num_keys = 1000, .num_bits = 20'000};
  const SizeAnswer lowest = best(for_rate);
  is_best(for_rate, [&](const SizeAnswer& other) { return other.rate >= lowest.rate; });
}

}  // namespace bloometry
