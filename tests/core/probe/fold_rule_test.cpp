// Tests the fold rule of every probe scheme. The indices of a scheme with a rule must follow this
// rule. The indices of a scheme without a rule must break both rules.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/probe/all_probes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kLargestWord = ~std::uint64_t{0};

std::uint64_t folded_index(FoldRule rule, std::uint64_t index, std::uint64_t range,
                           std::uint64_t divisor) {
  return rule == FoldRule::kModulo ? index % (range / divisor) : index / divisor;
}

/// Returns the number of indices that do not fold by the rule, among the first 16 indices of each
/// key. Examines at most one index per cell of the folded filter, because a scheme of distinct
/// probes cannot compute more indices.
template <class Probes>
std::uint64_t num_departures(FoldRule rule, std::uint64_t range, std::uint64_t divisor) {
  std::vector<Digest> keys = test::member_digests(300);
  for (const std::uint64_t lo : {std::uint64_t{0}, kLargestWord}) {
    for (const std::uint64_t hi : {std::uint64_t{0}, kLargestWord}) keys.push_back({lo, hi});
  }
  const std::uint64_t num_probes = std::min(std::uint64_t{16}, range / divisor);
  std::uint64_t num = 0;
  for (const Digest& key : keys) {
    Probes large(key, range);
    Probes small(key, range / divisor);
    for (std::uint64_t i = 0; i < num_probes; ++i) {
      num += folded_index(rule, large.next(range), range, divisor) != small.next(range / divisor)
                 ? 1U
                 : 0U;
    }
  }
  return num;
}

}  // namespace

TEST_CASE("fold rule: every scheme declares its rule", "[core][probe]") {
  CHECK(kFoldRule<RemixProbes> == FoldRule::kFastrange);
  CHECK(kFoldRule<IndependentProbes> == FoldRule::kFastrange);
  CHECK(kFoldRule<DoubleFastrangeProbes> == FoldRule::kFastrange);
  CHECK(kFoldRule<DoubleFastrangeOddProbes> == FoldRule::kFastrange);
  CHECK(kFoldRule<EnhancedDoubleFastrangeProbes> == FoldRule::kFastrange);
  CHECK(kFoldRule<DoubleModOddProbes> == FoldRule::kModulo);
  CHECK(kFoldRule<DoubleModAnyProbes> == FoldRule::kModulo);
  CHECK(kFoldRule<EnhancedDoubleModProbes> == FoldRule::kModulo);
  CHECK(kFoldRule<EnhancedDoubleModOddProbes> == FoldRule::kModulo);
  CHECK(kFoldRule<TripleModProbes> == FoldRule::kModulo);
  CHECK(kFoldRule<DoubleModProbes> == FoldRule::kNone);
  CHECK(kFoldRule<DistinctProbes> == FoldRule::kNone);
}

TEMPLATE_LIST_TEST_CASE(
    "fold rule: the declared rule holds for every index, and no other rule does", "[core][probe]",
    AllProbes) {
  struct Fold {
    std::uint64_t range, divisor;
  };

  for (const Fold fold : {Fold{64, 2}, Fold{60, 3}, Fold{1001, 7}, Fold{1001, 77}, Fold{96, 32},
                          Fold{9586 * 4, 4}, Fold{(kLargestWord / 15) * 15, 15}}) {
    for (const FoldRule rule : {FoldRule::kModulo, FoldRule::kFastrange}) {
      CAPTURE(TestType::kName, fold.range, fold.divisor, static_cast<int>(rule));
      const std::uint64_t departures = num_departures<TestType>(rule, fold.range, fold.divisor);
      if (rule == kFoldRule<TestType>) {
        CHECK(departures == 0);
      } else if (fold.range <= 64) {
        CHECK(departures > 0);  // otherwise kNone would forbid valid folds
      }
    }
  }
}

}  // namespace bloometry
