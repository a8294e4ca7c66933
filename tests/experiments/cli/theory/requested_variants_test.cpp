#include "experiments/cli/theory/requested_variants.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

PointOptions options_of_list(const std::string& variants) {
  PointOptions options;
  options.variant = variants;
  options.request.num_keys = 1'000;
  options.request.num_cells = 10'240;
  return options;
}

/// Returns the lines of the error.
std::vector<std::string> problems_of(const PointOptions& options) {
  try {
    static_cast<void>(requested_filters(options));
  } catch (const ConfigError& error) {
    std::vector<std::string> lines;
    for (const Problem& problem : error.problems()) lines.push_back(problem.line());
    return lines;
  }
  return {};
}

std::string message(const std::string& variants) {
  return message_of<ConfigError>(
      [&] { static_cast<void>(requested_filters(options_of_list(variants))); });
}

}  // namespace

TEST_CASE("requested variants: each variant of the list gets the same options", "[cli][theory]") {
  const std::vector<RatedFilter> filters = requested_filters(options_of_list("standard,blocked"));
  REQUIRE(filters.size() == 2);
  CHECK(filters[0].variant.name == "standard");
  CHECK(filters[0].geometry().num_cells == 10'240);
  CHECK(filters[1].variant.name == "blocked");
  CHECK(filters[1].geometry().num_cells == 10'240);
}

TEST_CASE("requested variants: unknown and repeated names are errors", "[cli][theory]") {
  CHECK(message("standard,blocked,standard") ==
        "variant must be distinct names, got 'standard' twice");
  CHECK(message("standard,blokced").ends_with(", got 'blokced'; did you mean blocked?"));
  CHECK(message("standard,").ends_with(", got ''"));
  CHECK(message(",").ends_with("got '' twice"));
  CHECK(message("standard,guava") ==
        "variant must be a list of variants or one format of another program, got the format "
        "'guava' in a list");
}

TEST_CASE("requested variants: a problem names the variants that have it", "[cli][theory]") {
  PointOptions options = options_of_list("standard,split_block,blocked");
  SECTION("an option that one variant refuses") {
    options.request.num_hashes = 7;
    CHECK(problems_of(options) ==
          std::vector<std::string>{"num_hashes must be 8, got 7 (for split_block)"});
  }
  SECTION("an option that two variants refuse, for different reasons") {
    options.params = {"block_bits=256"};
    const std::vector<std::string> problems = problems_of(options);
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].find(" for standard, which does not have parameters") != std::string::npos);
    CHECK(problems[1].find(" for split_block, which does not have param") != std::string::npos);
  }
  SECTION("a problem of all variants is listed once") {
    options.request.num_keys.reset();
    CHECK(problems_of(options) ==
          std::vector<std::string>{"num_keys must be given: the number of keys, like 1e6"});
  }
  SECTION("a filter that grows has no fixed size") {
    options.variant = "standard,scalable";
    const std::vector<std::string> problems = problems_of(options);
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().find(" for scalable: ") != std::string::npos);
    CHECK(problems.front().ends_with(" because the filter grows"));
    options.variant = "standard,scalable,blocked_counting";
    options.request.num_hashes = 40;
    CHECK(problems_of(options).back().ends_with(" (for blocked_counting)"));
  }
}
