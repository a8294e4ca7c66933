#include "experiments/text/number_text.hpp"

#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("number_text: one is singular, thousands are grouped", "[text]") {
  CHECK(plural(0, "row") == "0 rows");
  CHECK(plural(1, "false negative") == "1 false negative");
  CHECK(plural(8'467, "member") == "8,467 members");
}

TEST_CASE("number_text: numbers are grouped and rounded", "[text]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'000) == "1,000");
  CHECK(grouped(12'345'678) == "12,345,678");
  CHECK(rounded(0.010039223613, 6) == "0.0100392");
}

TEST_CASE("number_text: the largest count is grouped", "[text]") {
  CHECK(grouped(UINT64_MAX) == "18,446,744,073,709,551,615");
}

TEST_CASE("number_text: shares are in percent with four digits", "[text]") {
  CHECK(percent(0) == "0 %");
  CHECK(percent(0.0100392) == "1.004 %");
  CHECK(percent(1) == "100 %");
}

TEST_CASE("number_text: digits before the point are grouped", "[text]") {
  CHECK(grouped_fixed(0, 0) == "0");
  CHECK(grouped_fixed(999.996, 2) == "1,000.00");
  CHECK(grouped_fixed(1'234'567.25, 1) == "1,234,567.2");
  CHECK(grouped_real(12'253.17, 6) == "12,253.2");
  CHECK(grouped_real(999.95, 3) == "1e+03");
}

TEST_CASE("number_text: to_digits rounds any number, also subnormal ones", "[text]") {
  CHECK(to_digits(0.010039223613, 4) == 0.01004);
  CHECK(to_digits(5.00282e-318, 3) == 5.00e-318);
  CHECK(to_digits(0, 3) == 0);
  CHECK(to_digits(-1.2345e300, 2) == -1.2e300);
}
