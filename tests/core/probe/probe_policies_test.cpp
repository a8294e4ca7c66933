#include <algorithm>
#include <set>
#include <vector>

#include "core/probe/all_probes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {

TEMPLATE_LIST_TEST_CASE("probe policy: indices stay inside the range, whatever the digest",
                        "[core][probe]", AllProbes) {
  std::vector<Digest> all = test::member_digests(200);
  for (const std::uint64_t lo : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    for (const std::uint64_t hi : {std::uint64_t{0}, ~std::uint64_t{0}}) all.push_back({lo, hi});
  }
  for (const std::uint64_t range : {std::uint64_t{64}, std::uint64_t{65}, std::uint64_t{9586},
                                    (std::uint64_t{1} << 40U) + 1, ~std::uint64_t{0}}) {
    for (const Digest& digest : all) {
      TestType probes(digest, range);
      for (unsigned i = 0; i < kMaxNumHashes; ++i) {
        const std::uint64_t index = probes.next(range);
        if (index >= range) FAIL(TestType::kName << " " << index << " of " << range);
      }
    }
  }
  SUCCEED();
}

TEMPLATE_LIST_TEST_CASE("probe policy: a copy continues where the original is", "[core][probe]",
                        AllProbes) {
  TestType probes(test::digest_of_item(1, 0), 1000);
  probes.next(1000);
  TestType copy = probes;
  CHECK(copy.next(1000) == probes.next(1000));
}

TEST_CASE("probe policy: a generator stores its words or sums, and not the range",
          "[core][probe]") {
  CHECK(sizeof(RemixProbes) == sizeof(std::uint64_t));
  CHECK(sizeof(DoubleFastrangeProbes) == 2 * sizeof(std::uint64_t));
  CHECK(sizeof(DoubleModProbes) == 2 * sizeof(std::uint64_t));
  CHECK(sizeof(TripleModProbes) == 3 * sizeof(std::uint64_t));
}

TEST_CASE("distinct: k probes of a key never coincide", "[core][probe]") {
  for (const Digest& digest : test::member_digests(500)) {
    DistinctProbes probes(digest, 70);
    std::set<std::uint64_t> seen;
    for (unsigned i = 0; i < kMaxNumHashes; ++i) seen.insert(probes.next(70));
    if (seen.size() != kMaxNumHashes) FAIL("a probe came twice");
  }
  SUCCEED();
}

TEST_CASE("distinct: m probes of m cells are a permutation of the cells", "[core][probe]") {
  DistinctProbes probes(test::digest_of_item(3, 0), kMaxNumHashes);
  std::set<std::uint64_t> seen;
  for (unsigned i = 0; i < kMaxNumHashes; ++i) seen.insert(probes.next(kMaxNumHashes));
  CHECK(seen.size() == kMaxNumHashes);
  CHECK(*seen.rbegin() == kMaxNumHashes - 1);
}

TEST_CASE("double_mod: the stride is never zero, unlike that of double_mod_any", "[core][probe]") {
  const Digest digest{5, 64};  // hi mod 64 = 0
  DoubleModAnyProbes any(digest, 64);
  CHECK(any.next(64) == any.next(64));
  DoubleModProbes non_zero(digest, 64);
  CHECK(non_zero.next(64) != non_zero.next(64));
}

TEST_CASE("add_modulo: does not overflow near 2^64", "[core][probe]") {
  const std::uint64_t range = ~std::uint64_t{0};
  CHECK(add_modulo(range - 1, range - 1, range) == range - 2);
  CHECK(add_modulo(range - 1, 1, range) == 0);
  CHECK(add_modulo(3, 4, 10) == 7);
}

}  // namespace bloometry
