#include "experiments/filter_files/foldable_size.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/fold_search.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

FilterSpec spec_of(const VariantInfo& variant, std::uint64_t count) {
  FilterSpec spec{.num_hashes = std::clamp(6U, variant.min_num_hashes, variant.max_num_hashes)};
  if (variant.sized_by_blocks) {
    spec.num_blocks = count;
  } else {
    set_size(spec, variant.cell_axis(), count);
  }
  return spec;
}

}  // namespace

TEST_CASE("a foldable size is at most 1/64 or one unit larger, and has the stated divisors",
          "[filters]") {
  for (const std::string_view name : variants_that_can(Operation::kFold)) {
    const VariantInfo& variant = find_variant(name);
    for (const SchemeInfo& scheme : variant.schemes) {
      if (!scheme.can_fold) continue;
      for (const std::uint64_t count : {64U, 101U, 1'009U, 5'003U, 65'536U, 99'991U}) {
        CAPTURE(name, scheme.name, count);
        const FilterSpec spec = spec_of(variant, count);
        const Geometry before = scheme.geometry(spec);
        const FoldableSize size = foldable_size(variant, scheme, spec);
        const Geometry after = scheme.geometry(size.spec);
        CHECK(after.num_hashes == before.num_hashes);
        CHECK(after.num_cells >= before.num_cells);
        const bool is_sliced = after.block_cells == 1 && scheme.model == ProbeModel::kPartitioned;
        const std::uint64_t unit = is_sliced ? after.num_hashes : after.block_cells;
        CHECK(after.num_cells - before.num_cells <= before.num_cells / 64 + 2 * unit);
        CHECK(size.num_bits == after.num_cells * after.cell_bits);
        CHECK(size.num_more_bits == (after.num_cells - before.num_cells) * after.cell_bits);
        const BloometryFilter filter(scheme.make(size.spec), FilterHash("xxh3", 0, std::nullopt),
                                     {});
        CHECK(fold_divisors(filter).size() + 1 == size.num_divisors);
        if (count >= 5'003U) CHECK(size.num_divisors >= 16);
      }
    }
  }
}

TEST_CASE("the foldable size of twice the cells is twice as large", "[filters]") {
  const VariantInfo& variant = find_variant("standard");
  const SchemeInfo& scheme = variant.schemes.front();
  const auto cells_for = [&](std::uint64_t count) {
    return foldable_size(variant, scheme, {.num_bits = count, .num_hashes = 7}).num_bits;
  };
  for (const std::uint64_t count : {9'585'059ULL, 958'506ULL, 47'925'292ULL}) {
    CHECK(cells_for(2 * count) == 2 * cells_for(count));
  }
}

TEST_CASE("a size is not foldable if the scheme or the variant cannot fold", "[filters]") {
  const auto error_of = [](std::string_view name, std::string_view probes, const FilterSpec& spec) {
    const VariantInfo& variant = find_variant(name);
    const SchemeInfo& scheme = probes.empty() ? variant.schemes.front() : variant.scheme(probes);
    return test::message_of<ConfigError>(
        [&] { static_cast<void>(foldable_size(variant, scheme, spec)); });
  };
  CHECK(error_of("scalable", "", {.capacity = 9, .target_false_positive_rate = 0.1})
            .starts_with("foldable must be left out for scalable with probes "));
  CHECK(error_of("standard", "distinct", {.num_bits = 1'000, .num_hashes = 7})
            .starts_with("foldable must be left out for standard with probes distinct; "));
  CHECK(error_of("counting", "", {.num_counters = 1'000, .num_hashes = 3})
            .find("variants that can be folded: standard, ") != std::string::npos);
}

}  // namespace bloometry
