#include "experiments/report/layer_filter.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::report;
using nlohmann::json;

TEST_CASE("layer filter: terms have the meaning of Vega expressions", "[report]") {
  const json record = {{"count", 3},  {"none", 0},   {"rate", 0.5}, {"name", "it's not"},
                       {"kind", "a"}, {"yes", true}, {"no", false}, {"empty", ""}};
  for (const char* expression :
       {"datum.count > 2", "datum.count == 3", "datum.count != 4", "datum.rate > 0.25",
        "datum['count'] > 0", "datum.kind == 'a'", "datum.kind != 'b'", "datum.missing != 'b'",
        "datum.yes", "!datum.no", "!datum.missing", "!datum.empty", "!datum.none", "datum.count",
        "isValid(datum.count)", "isValid(datum.no)", "!isValid(datum.missing)",
        "datum.yes && datum['rate'] > 0 && !datum.no"}) {
    CAPTURE(expression);
    CHECK(accepts(expression, record));
  }
  for (const char* expression :
       {"datum.count > 3", "datum.missing > 0", "datum.missing > -1", "datum.kind > 0",
        "datum.count == 4", "datum.missing == 0", "datum.kind == 'b'", "datum.kind != 'a'",
        "!datum.yes", "datum.no", "datum.missing", "datum.none", "isValid(datum.missing)",
        "!isValid(datum.count)", "datum.yes && datum.no", "datum.no && datum.yes"}) {
    CAPTURE(expression);
    CHECK_FALSE(accepts(expression, record));
  }
}

TEST_CASE("layer filter: other expressions are an error, not a guess", "[report]") {
  for (const char* expression : {"", "datum", "datum.a || datum.b", "datum.a < 3", "datum.a >= 3",
                                 "datum.a > b", "isValid(a)", "datum.a && ", "datum['a"}) {
    CAPTURE(expression);
    CHECK_THROWS_AS(accepts(expression, json::object()), std::logic_error);
  }
}
