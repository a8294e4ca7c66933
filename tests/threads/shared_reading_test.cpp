// Tests that several threads may query one filter of any variant at the same time while the filter
// does not change.

#include <atomic>
#include <cstdint>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"
#include "tests/threads/run_together.hpp"

namespace bloometry {

TEMPLATE_LIST_TEST_CASE("threads: const calls of every variant are safe together", "[threads]",
                        test::Variants) {
  const auto keys = test::member_digests(500);
  TestType filter(test::small_spec<TestType>(keys.size(), 0.01));
  for (const Digest& key : keys) filter.insert(key);
  const std::uint64_t num_ones = filter.state().num_ones;
  std::atomic<std::uint64_t> num_wrong = 0;
  test::run_together(4, [&](unsigned /*t*/) {
    std::uint64_t num_set = 0;
    for (const Digest& key : keys) {
      num_wrong += static_cast<std::uint64_t>(!filter.contains(key));
      if constexpr (ProbeCountingFilter<TestType>) num_set += filter.num_set_probes(key);
    }
    if constexpr (ProbeCountingFilter<TestType>) {
      num_wrong += static_cast<std::uint64_t>(num_set != keys.size() * filter.num_hashes());
    }
    const TestType copy = filter;
    num_wrong += static_cast<std::uint64_t>(copy.state().num_ones != num_ones);
  });
  CHECK(num_wrong == 0);
}

}  // namespace bloometry
