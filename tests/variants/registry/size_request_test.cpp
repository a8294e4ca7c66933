#include "variants/registry/size_request.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

std::vector<std::string> problems_of(const SizeRequest& request) {
  std::vector<std::string> lines;
  try {
    require_valid(request);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(problem.line());
  }
  return lines;
}

}  // namespace

TEST_CASE("size request: every problem is reported with field, value and allowed values",
          "[variants][sizing]") {
  using Lines = std::vector<std::string>;
  CHECK(problems_of({.num_keys = 1000, .rate = 0.01}).empty());
  CHECK(problems_of({.num_keys = 1000, .bits_per_key = 9.6}).empty());
  CHECK(problems_of({.rate = 0.01, .num_blocks = std::uint64_t{1} << 53U}).empty());
  CHECK(problems_of({.num_keys = 0, .rate = 1.0, .num_hashes = 65U}) ==
        Lines{"num_keys must be in [1, 2^53], got 0", "rate must be in (0, 1), got 1",
              "num_hashes must be in [1, 64], got 65"});
  CHECK(problems_of({.rate = 0.01, .num_cells = 1, .num_bits = 1}) ==
        Lines{"num_bits must be left out with num_cells, because each determines the size"});
  CHECK(problems_of({.num_keys = 1, .num_blocks = 1, .bits_per_key = 1.0}) ==
        Lines{"bits_per_key must be left out with num_blocks, because each determines the size"});
  CHECK(problems_of({.num_keys = 1, .num_blocks = (std::uint64_t{1} << 53U) + 1}) ==
        Lines{"num_blocks must be in [1, 2^53], got 9007199254740993"});
  CHECK(problems_of({.rate = 0.01, .bits_per_key = 8.0}) ==
        Lines{"num_keys must be given with bits_per_key"});
  CHECK(problems_of({.num_keys = 2, .bits_per_key = 0.125}) ==
        Lines{"bits_per_key times num_keys must be in [1, 2^53] bits, got 0.25"});
  CHECK(problems_of({.num_keys = 1000, .bits_per_key = 1e300}) ==
        Lines{"bits_per_key times num_keys must be in [1, 2^53] bits, got 1e+303"});
  CHECK(problems_of({.num_keys = 1000}) ==
        Lines{"at least two of num_keys, rate and a size (num_cells, num_bits, num_blocks or "
              "bits_per_key) must be given"});
}

TEST_CASE("size request: bits per key times the keys give the memory", "[variants][sizing]") {
  CHECK(requested_memory({.num_keys = 1000, .bits_per_key = 9.6}) == 9600U);
  CHECK(requested_memory({.num_keys = 3, .bits_per_key = 0.5}) == 2U);
  CHECK(requested_memory({.num_bits = 77}) == 77U);
  CHECK_FALSE(requested_memory({.num_cells = 77}).has_value());
}

TEST_CASE("size request: the cells of other programs' filters are bits", "[variants][sizing]") {
  CHECK(size_in_bits({.num_cells = 5}) == 5U);
  CHECK(size_in_bits({.num_bits = 6}) == 6U);
  CHECK_FALSE(size_in_bits({.num_keys = 7}).has_value());
  const SizeRequest bits = in_bits({.num_keys = 7, .num_cells = 5});
  CHECK(bits.num_bits == 5U);
  CHECK_FALSE(bits.num_cells.has_value());
  CHECK(bits.num_keys == 7U);
}

TEST_CASE("size request: without_size removes each of the four sizes", "[variants][sizing]") {
  for (const SizeRequest& request :
       {SizeRequest{.num_cells = 1}, SizeRequest{.num_bits = 1}, SizeRequest{.num_blocks = 1},
        SizeRequest{.bits_per_key = 1.0}}) {
    CHECK(has_size(request));
    CHECK_FALSE(has_size(without_size(request)));
  }
  CHECK_FALSE(has_size({.num_keys = 1, .rate = 0.5, .num_hashes = 3U}));
}

TEST_CASE("size request: the scheme is the named one, the first of the model, or the default",
          "[variants][sizing]") {
  const VariantInfo& standard = find_variant("standard");
  CHECK(requested_scheme(standard, {}).name == standard.schemes.front().name);
  CHECK(requested_scheme(standard, {.model = ProbeModel::kDistinct}).name == "distinct");
  CHECK(requested_scheme(standard, {.probes = "double_mod"}).name == "double_mod");
  CHECK_THROWS_WITH(requested_scheme(standard, {.probes = "lane_fields"}),
                    Catch::Matchers::StartsWith("probes of standard must be one of remix, "));
}

}  // namespace bloometry
