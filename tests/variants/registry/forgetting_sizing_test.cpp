// Tests the sizes of filters that forget against all filters of a few bits, and the agreement of
// the answers to different questions about one filter.

#include "variants/registry/forgetting_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/probe/limits.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/filter_rates.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {
namespace {

/// A variant that forgets and the parameters of a request.
struct ForgettingCase {
  std::string variant;
  Params params{};
};

std::ostream& operator<<(std::ostream& out, const ForgettingCase& of) {
  out << of.variant;
  for (const auto& [name, value] : of.params) out << ", " << name << " = " << to_string(value);
  return out;
}

SizeAnswer solve(const ForgettingCase& of, SizeRequest request) {
  request.params = of.params;
  return solve_size(find_variant(of.variant), request);
}

/// Returns the l of all filters that a request may choose; rotating has a default.
std::vector<std::optional<double>> choices_of_generations(const ForgettingCase& of) {
  if (of.variant == "rotating" || of.params.contains("generations")) return {std::nullopt};
  std::vector<std::optional<double>> choices;
  for (unsigned l = 1; l <= 64; ++l) choices.emplace_back(l);
  return choices;
}

/// Calls visit(spec, unit) for all k and l. The sizes of the filter are the multiples of `unit`.
void for_each_filter(const ForgettingCase& of,
                     const std::function<void(FilterSpec&, std::uint64_t)>& visit) {
  const VariantInfo& variant = find_variant(of.variant);
  for (const auto& generations : choices_of_generations(of)) {
    for (unsigned k = 1; k <= kMaxNumHashes; ++k) {
      FilterSpec spec{.capacity = 1, .num_bits = 1, .num_hashes = k, .params = of.params};
      if (generations) spec.params["generations"] = *generations;
      try {
        visit(spec, variant.geometry(spec).num_bits());
      } catch (const ConfigError&) {  // the kind of the generations does not allow this k
        continue;
      }
    }
  }
}

double rate_of(const ForgettingCase& of, const FilterSpec& spec) {
  const VariantInfo& variant = find_variant(of.variant);
  return worst_rate({variant, variant.schemes.front(), spec}).rate;
}

/// Returns the lowest rate of all filters with a window of n inserts and at most the given size.
double lowest_rate_of_all(const ForgettingCase& of, std::uint64_t n, std::uint64_t num_bits) {
  double lowest = 2;
  for_each_filter(of, [&](FilterSpec& spec, std::uint64_t unit) {
    if (num_bits < unit) return;
    spec.capacity = n;
    spec.num_bits = num_bits / unit * unit;
    lowest = std::min(lowest, rate_of(of, spec));
  });
  return lowest;
}

const std::vector<ForgettingCase> kSmallCases = {
    {"rotating", {}},
    {"rotating", {{"generations", 2.0}}},
    {"rotating", {{"generations", 64.0}}},
    {"age_partitioned", {}},
    {"age_partitioned", {{"generations", 3.0}}},
};

}  // namespace

TEST_CASE("forgetting sizing: a size gives the lowest rate of all filters that fit",
          "[variants][sizing][forgetting]") {
  for (const ForgettingCase& of : kSmallCases) {
    for (const auto& [n, num_bits] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {1, 137}, {2, 200}, {7, 150}, {35, 966}, {35, 967}, {60, 400}, {1000, 20'000}}) {
      CAPTURE(of, n, num_bits);
      const SizeAnswer answer = solve(of, {.num_keys = n, .num_bits = num_bits});
      REQUIRE(answer.is_sized());
      CHECK(answer.num_bits() <= num_bits);
      CHECK(answer.rate == lowest_rate_of_all(of, n, num_bits));
      CHECK(answer.rate == rate_of(of, answer.spec()));
    }
  }
}

TEST_CASE("forgetting sizing: a rate gives the least memory of all filters",
          "[variants][sizing][forgetting]") {
  for (const ForgettingCase& of : kSmallCases) {
    for (const std::uint64_t n : {1U, 2U, 9U, 100U, 1000U}) {
      for (const double p : {0.7, 0.1, 0.01, 1e-5}) {
        CAPTURE(of, n, p);
        const SizeAnswer answer = solve(of, {.num_keys = n, .rate = p});
        REQUIRE(answer.is_sized());
        CHECK(answer.rate <= p);
        CHECK(answer.rate == rate_of(of, answer.spec()));
        CHECK(lowest_rate_of_all(of, n, answer.num_bits() - 1) > p);
      }
    }
  }
}

TEST_CASE("forgetting sizing: a size and a rate give the largest window of all filters",
          "[variants][sizing][forgetting]") {
  for (const ForgettingCase& of : kSmallCases) {
    for (const auto& [num_bits, p] : std::vector<std::pair<std::uint64_t, double>>{
             {150, 0.3}, {1000, 0.3}, {5000, 0.01}, {5000, 1e-4}}) {
      CAPTURE(of, num_bits, p);
      const SizeAnswer answer = solve(of, {.rate = p, .num_bits = num_bits});
      if (!answer.is_sized()) {
        CHECK(lowest_rate_of_all(of, 1, num_bits) > p);
        continue;
      }
      CHECK(answer.rate <= p);
      CHECK(answer.num_bits() <= num_bits);
      CHECK(lowest_rate_of_all(of, answer.num_keys, num_bits) <= p);
      CHECK(lowest_rate_of_all(of, answer.num_keys + 1, num_bits) > p);
    }
  }
}

namespace {

/// Returns cases with all generations of the test below, and with the variant's own choice.
std::vector<ForgettingCase> round_trip_cases() {
  std::vector<ForgettingCase> cases = {{"rotating", {}}, {"age_partitioned", {}}};
  for (const double generations : {2.0, 3.0, 8.0, 64.0}) {
    cases.push_back({"rotating", {{"generations", generations}}});
    cases.push_back({"age_partitioned", {{"generations", generations}}});
  }
  for (const char* kind : {"blocked", "lanes"}) {
    cases.push_back({"rotating", {{"generation", std::string(kind)}}});
  }
  return cases;
}

/// Checks that the size of the answer for n and p keeps p for n, and n for p.
void check_round_trip(const ForgettingCase& of, std::uint64_t n, double p) {
  CAPTURE(of, n, p);
  const SizeAnswer sized = solve(of, {.num_keys = n, .rate = p});
  if (!sized.is_sized()) {
    CHECK_THAT(sized.refusal, Catch::Matchers::StartsWith("p is below the floor of its rate") ||
                                  Catch::Matchers::StartsWith("it needs more than 2^53 cells"));
    return;
  }
  CHECK(sized.rate <= p);
  const SizeAnswer rated = solve(of, {.num_keys = n, .num_bits = sized.num_bits()});
  REQUIRE(rated.is_sized());
  CHECK(rated.rate <= p);
  CHECK(rated.rate <= sized.rate);
  CHECK(rated.num_bits() <= sized.num_bits());
  CHECK(solve(of, {.num_keys = n, .rate = p, .num_bits = sized.num_bits()}).is_sized());
  const SizeAnswer held = solve(of, {.rate = p, .num_bits = sized.num_bits()});
  REQUIRE(held.is_sized());
  CHECK(held.num_keys >= n);
  CHECK(held.rate <= p);
}

}  // namespace

TEST_CASE("forgetting sizing: the size of an answer keeps its rate and its window",
          "[variants][sizing][forgetting]") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 30; ++i) {
    for (const ForgettingCase& of : round_trip_cases()) {
      const auto n = static_cast<std::uint64_t>(std::exp2(16 * share(random)));
      check_round_trip(of, n, std::exp2(-30 * share(random) * share(random)));
    }
  }
}

TEST_CASE("forgetting sizing: the size of an extreme answer keeps its rate and its window",
          "[variants][sizing][forgetting]") {
  const ForgettingCase of = GENERATE(from_range(round_trip_cases()));
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 40U}) {
    for (const double p : {1e-30, 1e-12, 0.01, 0.999, 1 - 1e-9}) check_round_trip(of, n, p);
  }
}

TEST_CASE("forgetting sizing: impossible requests are refused with the reason",
          "[variants][sizing][forgetting]") {
  const ForgettingCase rotating{"rotating", {}};
  CHECK(solve(rotating, {.num_keys = 5, .num_bits = 7}).refusal ==
        "the size must be at least 8 bits, got 7");
  CHECK(solve({"age_partitioned", {}}, {.num_keys = 5, .num_bits = 1}).refusal ==
        "the size must be at least 2 bits, got 1");
  CHECK(solve(rotating, {.rate = 1e-9, .num_bits = 8}).refusal ==
        "the size is too small for a window of one insert at p");
  CHECK(solve(rotating, {.num_keys = 1, .rate = 0.1, .num_blocks = 3}).refusal ==
        "num_blocks must be left out: give a memory in bits");
  CHECK_THAT(solve(rotating, {.num_keys = 1'000'000, .rate = 1e-16}).refusal,
             Catch::Matchers::StartsWith("p is below the floor of its rate with 1142856 keys"));
  CHECK_THAT(solve(rotating, {.num_keys = 1000, .rate = 0.01, .num_bits = 8000}).refusal,
             Catch::Matchers::StartsWith("its rate at this size, "));
  CHECK_THAT(
      solve({"age_partitioned", {{"generation_capacity", 3.0}}}, {.num_keys = 1000, .rate = 0.01})
          .refusal,
      Catch::Matchers::StartsWith("generation_capacity must be at least 4 for "));
  CHECK_THAT(solve({"rotating", {{"generation", std::string("lanes")}}},
                   {.num_keys = 1000, .rate = 0.01, .num_hashes = 5U})
                 .refusal,
             Catch::Matchers::StartsWith("num_hashes must be 8"));
}

}  // namespace bloometry
