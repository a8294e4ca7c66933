#include "core/engine/cell_filter.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/engine/batch.hpp"
#include "core/rates/sizing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {
namespace {

/// The example of variants/README.md: a filter of m bits with one probe per key.
struct OneHashDesign {
  static constexpr std::string_view kName = "one_hash";
  static constexpr VariantDescription kDescription = {.summary = "m bits, one per key",
                                                      .paper = "folklore",
                                                      .rate_given_state = "X/m, X set bits",
                                                      .probe_passes = ProbePasses::kIfNonzero,
                                                      .max_num_hashes = 1};
  static constexpr Traits kTraits = {.merge = true, .estimate = true};
  using Cells = Bits;

  static Geometry geometry(const FilterSpec& spec) {
    return sized_geometry(spec, 1,
                          {.best_num_hashes = {},  // not called, because k is fixed
                           .cells_for_rate = cells_for_rate,
                           .max_num_hashes = 1});
  }

  static bool insert(auto& bits, auto&& positions) noexcept {
    bool changed = false;
    for (const std::uint64_t i : positions) changed |= bits.set(i);
    return changed;
  }

  static bool passes(const auto& bits, std::uint64_t i) noexcept { return bits.test(i); }

  static double rate(ProbeModel /*model*/, const auto& bits, const FilterState& counts,
                     unsigned /*num_hashes*/) noexcept {
    return static_cast<double>(counts.num_ones) / static_cast<double>(bits.size());
  }
};

using OneHashFilter = CellFilter<OneHashDesign>;

/// A design whose own check accepts every geometry.
struct LenientDesign : OneHashDesign {
  static constexpr VariantDescription kDescription = {.summary = "m bits, one or two per key",
                                                      .paper = "folklore",
                                                      .rate_given_state = "unknown",
                                                      .probe_passes = ProbePasses::kIfNonzero,
                                                      .max_num_hashes = 2};

  static Geometry checked(const Geometry& geometry) { return geometry; }
};

}  // namespace

static_assert(BatchFilter<OneHashFilter> && BorrowingFilter<OneHashFilter> &&
              MergeableFilter<OneHashFilter> && SetEstimatingFilter<OneHashFilter>);
static_assert(!FoldableFilter<OneHashFilter> && !IntersectableFilter<OneHashFilter> &&
              !ErasableFilter<OneHashFilter>);

TEST_CASE("cell_filter: a geometry that the description or the scheme excludes is an error",
          "[core][engine]") {
  CHECK_THROWS_WITH(OneHashFilter(Geometry{100, 1, 2}), "num_hashes must be 1, got 2");
  using Distinct = CellFilter<LenientDesign, DistinctProbes>;
  CHECK_THROWS_WITH(Distinct(Geometry{1, 1, 2}),
                    "num_hashes must be at most 1, the number of cells, with distinct probes, "
                    "got 2");
  CHECK(Distinct(Geometry{2, 1, 2}).num_bits() == 2);
}

TEST_CASE("cell_filter: a filter made from a design has batches, estimates and a rate",
          "[core][engine]") {
  const auto keys = test::member_digests(1000);
  OneHashFilter single({.num_bits = 100'000});
  OneHashFilter batch({.num_bits = 100'000});
  std::uint64_t num_new = 0;
  for (const Digest& key : keys) num_new += single.insert(key) ? 1 : 0;
  CHECK(insert_all(batch, std::span(keys)) == num_new);
  CHECK(batch == single);
  CHECK(single.bits().count() == num_new);
  CHECK(single.state().conditional_false_positive_rate == static_cast<double>(num_new) / 100'000);
  CHECK(count_positives(batch, std::span(keys)) == keys.size());
  CHECK(AnyFilter(batch).probes() == "remix");
}

TEST_CASE("cell_filter: filters of different size do not merge", "[core][engine]") {
  OneHashFilter filter({.num_bits = 64});
  CHECK_THROWS_WITH(filter.merge(OneHashFilter({.num_bits = 128})),
                    "num_bits must be equal in both filters, got 64 and 128");
}

}  // namespace bloometry
