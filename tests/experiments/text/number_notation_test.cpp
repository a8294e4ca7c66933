#include "experiments/text/number_notation.hpp"

#include <cmath>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("number_notation: whole numbers may have exponents, suffixes and thousands separators",
          "[text]") {
  const std::vector<std::pair<std::string, std::uint64_t>> numbers = {
      {"0", 0},
      {"-0", 0},
      {"007", 7},
      {"1000000", 1'000'000},
      {"1e6", 1'000'000},
      {"1E+6", 1'000'000},
      {"1,000,000", 1'000'000},
      {"12,345", 12'345},
      {"1,500k", 1'500'000},
      {"1,234.5k", 1'234'500},
      {"1.5M", 1'500'000},
      {"1m", 1'000'000},
      {"2K", 2'000},
      {"3g", 3'000'000'000},
      {" 3 M\t", 3'000'000},
      {"1e3k", 1'000'000},
      {"10e-1", 1},
      {"0.000001e6", 1},
      {"0e99999999999", 0},
      {"9007199254740993", 9'007'199'254'740'993},
      {"18446744073709551615", 18'446'744'073'709'551'615U},
      {"1e19", 10'000'000'000'000'000'000U}};
  for (const auto& [text, number] : numbers) {
    CAPTURE(text);
    CHECK(read_whole(text) == number);
    CHECK(std::regex_match(text, std::regex(kWholePattern)));
  }
}

TEST_CASE("number_notation: other texts are not whole numbers", "[text]") {
  for (const char* bad : {"",
                          " ",
                          "-",
                          ".",
                          "-1",
                          "+1",
                          "1.5",
                          "1e-1",
                          "1.0001k",
                          "1,00",
                          "1,0000",
                          ",100",
                          "0,100",
                          "1234,5",
                          "1,,0",
                          "1,000,",
                          "1 000",
                          "1,000,00",
                          "1e",
                          "1e+",
                          "e6",
                          "k",
                          "1kk",
                          "1T",
                          "1_000",
                          "0x10",
                          "1.2.3",
                          "nan",
                          "inf",
                          "1/1",
                          "5 %",
                          "64MiB",
                          "5 B",
                          "1e400",
                          "1e20",
                          "1e9999999999",
                          "1.0,0",
                          "\u00a01",
                          "1\n",
                          "१",
                          "--1",
                          "1e1.5",
                          "1 k k",
                          "1k1",
                          "1e-9999999999",
                          "18446744073709551616"}) {
    CAPTURE(bad);
    CHECK_FALSE(read_whole(bad));
  }
}

TEST_CASE("number_notation: sizes in bytes are by 1000 or by 1024, in any case", "[text]") {
  const std::vector<std::pair<std::string, std::uint64_t>> sizes = {
      {"1B", 1},
      {"64MiB", std::uint64_t{64} << 20U},
      {"64 mib", std::uint64_t{64} << 20U},
      {"64MIB", std::uint64_t{64} << 20U},
      {"0.5KiB", 512},
      {"1.5 GiB", std::uint64_t{3} << 29U},
      {"0.0009765625KiB", 1},
      {"1TiB", std::uint64_t{1} << 40U},
      {"64MB", 64'000'000},
      {"64mb", 64'000'000},
      {"64 mB", 64'000'000},
      {"1.5kB", 1'500},
      {"1.5kb", 1'500},
      {"1.5KB", 1'500},
      {"2tb", 2'000'000'000'000},
      {"1,024 KiB", std::uint64_t{1} << 20U}};
  for (const auto& [text, number] : sizes) {
    CAPTURE(text);
    REQUIRE(read_size(text));
    CHECK(read_size(text)->number == number);
    CHECK(read_size(text)->is_bytes);
    CHECK(std::regex_match(text, std::regex(kSizePattern)));
  }
  CHECK(read_size("64M")->number == 64'000'000);
  CHECK_FALSE(read_size("64M")->is_bytes);
  for (const char* bad : {"1.5B", "0.1 KiB", "64Mi", "64 M B", "MiB", "16777216TiB", "5 %"}) {
    CAPTURE(bad);
    CHECK_FALSE(read_size(bad));
  }
}

TEST_CASE("number_notation: units that may mean bits are refused", "[text]") {
  for (const char* text : {"64Mb", "64 Kb", "64Gb", "64Tb", "64b"}) {
    CAPTURE(text);
    CHECK_FALSE(read_size(text));
  }
  CHECK(whole_hint("64Mb").empty());  // bytes are not a whole number
  CHECK(size_hint("64Mb") == "; Mb may mean bits: write MB for bytes");
  CHECK(size_hint("64 Kb") == "; Kb may mean bits: write kB for bytes");
  CHECK(size_hint("64b") == "; b may mean bits: write B for bytes");
}

TEST_CASE("number_notation: real numbers are the nearest doubles", "[text]") {
  const std::vector<std::pair<std::string, double>> numbers = {
      {"0.1%", 0.001},    {"0.1 %", 0.001},     {"0.7%", 0.007},
      {"50%", 0.5},       {"1e-3%", 1e-5},      {"1e6%", 1e4},
      {"1/1000", 0.001},  {"1 / 1,000", 0.001}, {"1/1e6", 1e-6},
      {"1/1M", 1e-6},     {"2/3", 2.0 / 3},     {"0/7", 0},
      {"1/3", 1.0 / 3},   {".5", 0.5},          {"5.", 5},
      {"-1.5", -1.5},     {"9.6k", 9600},       {"1.7976931348623157e308", 1.7976931348623157e308},
      {"5e-324", 5e-324}, {"0e-400", 0},        {"0.30000000000000004", 0.1 + 0.2}};
  for (const auto& [text, number] : numbers) {
    CAPTURE(text);
    CHECK(read_real(text) == number);
    CHECK(std::regex_match(text, std::regex(kRealPattern)));
  }
  CHECK_FALSE(std::signbit(*read_real("-0")));
  for (const char* bad :
       {"",       " ",      "%",     "1%%",   "5 %%",  "x%",   "1e400",
        "-1e400", "1e-400", "1/0",   "1/",    "/1",    "1//2", "1/2/3",
        "1.5/2",  "1/1.5",  "1/10%", "10%/2", "-1/2",  "nan",  "inf",
        "-inf",   "0x10",   "0,1",   "1,000", "64MiB", "5 B",  "1/9007199254740993"}) {
    CAPTURE(bad);
    CHECK_FALSE(read_real(bad));
  }
}

TEST_CASE("number_notation: a fraction is rounded to the nearest double", "[text]") {
  for (std::uint64_t n = 1; n < 2000; n += 7) {
    for (std::uint64_t d = 1; d < 1'000'000; d = d * 3 + 1) {
      CAPTURE(n, d);
      const double quotient = *read_real(std::to_string(n) + "/" + std::to_string(d));
      const auto error = [&](double x) {  // n - x d, rounded once
        return std::abs(std::fma(x, static_cast<double>(d), -static_cast<double>(n)));
      };
      REQUIRE(error(quotient) <= error(std::nextafter(quotient, 0)));
      REQUIRE(error(quotient) <= error(std::nextafter(quotient, 1e9)));
    }
  }
}

TEST_CASE("number_notation: a hint names the unit that is missing", "[text]") {
  CHECK(unit_hint("64M") == "; write 64MB or 64MiB");
  CHECK(unit_hint(" 64 k") == "; write 64kB or 64KiB");
  CHECK(unit_hint("1e7") == "; write 1e7B");
}

}  // namespace bloometry
