#include "experiments/subject/loads.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;
using Keys = std::vector<std::uint64_t>;

TEST_CASE("loads: are ascending, distinct and of at least one key", "[subject]") {
  CHECK(keys_at_loads(1000, kDefaultLoads) == Keys{250, 1000, 2000});
  CHECK(keys_at_loads(10, kDefaultLoads) == Keys{3, 10, 20});
  CHECK(keys_at_loads(1, kDefaultLoads) == Keys{1, 2});
  CHECK(keys_at_loads(100, std::vector{2.0, 0.001, 1.0, 1.001}) == Keys{1, 100, 200});
}

TEST_CASE("loads: invalid loads are refused", "[subject]") {
  for (const double load : {0.0, -1.0, 101.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(require_valid_loads(std::vector{1.0, load}), ConfigError);
  }
  CHECK_THROWS_AS(require_valid_loads({}), ConfigError);
  CHECK_THROWS_AS(require_valid_loads(std::vector<double>(17, 1.0)), ConfigError);
  CHECK_NOTHROW(require_valid_loads(kDefaultLoads));
}
