#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/registry/requested_filter.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {
namespace {

std::vector<std::string> limited_variants() {
  std::vector<std::string> names;
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.is_limited) names.emplace_back(info.name);
  }
  return names;
}

SizeAnswer solve(const std::string& variant, const SizeRequest& request) {
  return solve_size(find_variant(variant), request);
}

AnyFilter filter_of(const SizeAnswer& answer) {
  return make_filter(answer.variant, answer.probes, answer.spec());
}

}  // namespace

TEST_CASE("table sizing: a filter for n keys at p has room for n keys and keeps p",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(limited_variants()));
  const std::uint64_t n = GENERATE(1, 2, 57, 1000, 300'000);
  const double p = GENERATE(0.5, 0.01, 1e-4);
  INFO(variant << " n = " << n << " p = " << p);
  const SizeAnswer answer = solve(variant, {.num_keys = n, .rate = p});
  REQUIRE(answer.is_sized());
  CHECK(answer.num_keys == n);
  CHECK(answer.rate <= p);
  if (p < 0.1) CHECK(answer.rate > p / 4);  // at 0.5, the least width of cuckoo gives less
  CHECK(answer.rate_by == "exact");
  AnyFilter filter = filter_of(answer);
  CHECK(filter.num_bits() == answer.num_bits());
  CHECK_FALSE(filter.try_insert(test::member_digests(n)).is_full);
}

TEST_CASE("table sizing: the spec of an answer makes the filter with the parameters",
          "[variants][sizing]") {
  struct Case {
    std::string variant;
    Params params;
    std::uint64_t most_keys;  ///< number of keys for which the filter has room
  };

  const Case given = GENERATE(Case{"cuckoo", {{"semi_sorting", 1.0}}, 3'000},
                              Case{"cuckoo", {{"semi_sorting", 0.0}}, 3'000},
                              Case{"cuckoo", {{"bucket_cells", 8.0}}, 3'000},
                              Case{"d_left", {{"counter_bits", 4.0}}, 3'000},
                              Case{"d_left", {{"max_capacity", 50'000.0}}, 50'000});
  const auto name = given.params.begin()->first;
  INFO(given.variant << " " << name);
  const SizeAnswer answer =
      solve(given.variant, {.num_keys = 3'000, .rate = 0.01, .params = given.params});
  REQUIRE(answer.is_sized());
  CHECK(answer.params.at(name) == given.params.at(name));
  CHECK(answer.rate <= 0.01);
  AnyFilter filter = filter_of(answer);
  CHECK(filter.num_bits() == answer.num_bits());
  CHECK_FALSE(filter.try_insert(test::member_digests(given.most_keys)).is_full);
  CHECK(filter.state().conditional_false_positive_rate <= 0.01);
}

TEST_CASE("table sizing: the largest number of keys in a size keeps p, and more do not fit",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(limited_variants()));
  const std::uint64_t size = GENERATE(2'000, 100'000, 12'345'678);
  INFO(variant << " size = " << size);
  const SizeAnswer answer = solve(variant, {.rate = 0.01, .num_bits = size});
  REQUIRE(answer.is_sized());
  CHECK(answer.num_bits() <= size);
  CHECK(answer.rate <= 0.01);
  CHECK(solve(variant, {.num_keys = answer.num_keys + 1, .rate = 0.01}).num_bits() > size);
  const SizeAnswer back = solve(variant, {.num_keys = answer.num_keys, .rate = 0.01});
  CHECK(back.num_bits() == answer.num_bits());
  const SizeAnswer in_blocks = solve(variant, {.rate = 0.01, .num_blocks = 40});
  CHECK(in_blocks.is_sized());
  CHECK(in_blocks.rate <= 0.01);
}

TEST_CASE("table sizing: n and a memory give the widest fingerprints that fit",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(limited_variants()));
  INFO(variant);
  const SizeAnswer answer = solve(variant, {.num_keys = 10'000, .num_bits = 200'000});
  REQUIRE(answer.is_sized());
  CHECK(answer.num_bits() <= 200'000);
  CHECK(answer.num_bits() > 180'000);
  CHECK_FALSE(filter_of(answer).try_insert(test::member_digests(10'000)).is_full);
  const SizeAnswer more = solve(variant, {.num_keys = 10'000, .num_bits = 240'000});
  CHECK(more.rate < answer.rate);
  const SizeAnswer per_key = solve(variant, {.num_keys = 10'000, .bits_per_key = 20.0});
  CHECK(per_key.num_cells == answer.num_cells);
  CHECK(per_key.params == answer.params);
  // The requested filter is rounded up, and has the same fingerprints.
  const RatedFilter requested =
      requested_filter(find_variant(variant), {.num_keys = 10'000, .num_bits = 200'000});
  CHECK(requested.geometry().cell_bits == answer.cell_bits);
  CHECK(solve(variant, {.num_keys = 10'000, .rate = 1e-6, .num_bits = 200'000})
            .refusal.starts_with("its rate at this size, "));
  CHECK_FALSE(solve(variant, {.num_keys = 10'000, .num_bits = 20'000}).is_sized());
  CHECK_FALSE(solve(variant, {.num_keys = 10'000, .num_cells = 9'000}).is_sized());
}

TEST_CASE("table sizing: twice the keys have no room", "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(limited_variants()));
  CHECK_FALSE(solve(variant, {.num_keys = 100'000, .rate = 0.01}).rate_at_twice_num_keys);
  CHECK(solve("standard", {.num_keys = 100'000, .rate = 0.01}).rate_at_twice_num_keys);
}

TEST_CASE("table sizing: the hash of the keys bounds the rate", "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(limited_variants()));
  const SizeAnswer narrow =
      solve(variant, {.num_keys = 1'000'000, .num_bits = 40'000'000, .hash = {.num = 32}});
  REQUIRE(narrow.is_sized());
  CHECK(narrow.rate_by == "bound");
  CHECK(narrow.rate > 1'000'000 * 0x1p-32 * 0.999);
  CHECK_FALSE(
      solve(variant, {.num_keys = 1'000'000, .rate = 1e-6, .hash = {.num = 32}}).is_sized());
}

}  // namespace bloometry
