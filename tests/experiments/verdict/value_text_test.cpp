#include "experiments/verdict/value_text.hpp"

#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("value_text: numbers have no more digits than are significant", "[verdict][text]") {
  CHECK(expected_text(0) == "none");
  CHECK(expected_text(0.0012345678) == "0.001235");
  CHECK(expected_text(81.97432) == "81.97");
  CHECK(expected_text(999.94) == "999.9");
  CHECK(expected_text(999.96) == "1,000");
  CHECK(expected_text(12'253.2) == "12,253");
  CHECK(expected_text(1'234'567.8) == "1,234,568");
  CHECK(to_spread(50'340.49, 88.3) == "50,340");
  CHECK(to_spread(4'966.314, 2.3) == "4,966.3");
  CHECK(to_spread(4'966.314, 0.05) == "4,966.314");
  CHECK(to_spread(812.44, 11.0) == "812");
  CHECK(to_spread(0.25, 0.5) == "0.25");
  CHECK(to_spread(999.96, 100) == "1,000");
  CHECK(to_spread(7, 0) == "7");
}

TEST_CASE("value_text: no p-value is 0", "[verdict][text]") {
  CHECK(p_value_text(0) == "below 1e-300");
  CHECK(p_value_text(1e-299) == "1e-299");
  CHECK(p_value_text(0.41321) == "0.41");
  CHECK(p_value_relation(0) == "p < 1e-300");
  CHECK(p_value_relation(1e-299) == "p = 1e-299");
}
