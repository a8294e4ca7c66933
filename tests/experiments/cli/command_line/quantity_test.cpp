#include "experiments/cli/command_line/quantity.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("quantity: counts may have exponents, suffixes and thousands separators", "[cli]") {
  const std::vector<std::pair<std::string, std::uint64_t>> counts = {
      {"1000000", 1'000'000}, {"1e6", 1'000'000}, {"1,000,000", 1'000'000},
      {"1.5M", 1'500'000},    {"12,345", 12'345}, {"1,500k", 1'500'000}};
  for (const auto& [text, count] : counts) {
    CAPTURE(text);
    CHECK(parse_positive_count("-n", text) == count);
  }
  for (const char* bad :
       {"1,00", "1,0000", ",100", "1234,567", "1,,000", "1,000,", "1 000", "64MiB"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_positive_count("-n", bad), ConfigError);
  }
}

TEST_CASE("quantity: sizes in bytes are by 1000 or by 1024", "[cli]") {
  CHECK(parse_bits("-m", "64MiB") == std::uint64_t{64} * 1024 * 1024 * 8);
  CHECK(parse_bits("-m", "64MB") == std::uint64_t{64} * 1'000'000 * 8);
  CHECK(parse_bits("-m", "1.5kB") == 12'000);
  CHECK(parse_bits("-m", "2TB") == std::uint64_t{16} * 1'000'000'000'000);
  CHECK(parse_bits("-m", "1M") == 1'000'000);
  CHECK(parse_bytes("--memory", "1GB") == 1'000'000'000);
  CHECK_THROWS_WITH(parse_bits("-m", "64Mi"),
                    "-m must be a whole number in [1, 2^53] like 1000000, 1e6 or 1.5M, or bytes "
                    "like 64MiB or 64MB, got '64Mi'");
}

TEST_CASE("quantity: a percentage is the double nearest to its hundredth", "[cli]") {
  CHECK(parse_real("-p", "a number", "0.1%") == 0.001);
  CHECK(parse_real("-p", "a number", "0.7%") == 0.007);
  CHECK(parse_real("-p", "a number", "50%") == 0.5);
  for (const char* bad : {"%", "1e-3%", "1%%", "x%"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_real("-p", "a number", bad), ConfigError);
  }
}

TEST_CASE("quantity: an invalid whole number is refused with the allowed values", "[cli]") {
  CHECK(parse_whole("-k", "a whole number in [1, 64]", "64") == 64);
  for (const char* bad : {"7.5", "-1", "k", "64MiB"}) {
    CHECK_THROWS_WITH(parse_whole("-k", "a whole number in [1, 64]", bad),
                      "-k must be a whole number in [1, 64], got '" + std::string(bad) + "'");
  }
}

TEST_CASE("text_table: memory is printed in the largest whole unit", "[cli]") {
  CHECK(memory_text(1) == "1 bit");
  CHECK(memory_text(2) == "2 bits");
  CHECK(memory_text(8) == "1 B");
  CHECK(memory_text(std::uint64_t{1} << 53U) == "1 PiB");
}
