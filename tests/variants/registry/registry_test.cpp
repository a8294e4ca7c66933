#include "variants/registry/registry.hpp"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry {

namespace {

template <class... Fs>
std::vector<std::string_view> names_in(VariantList<Fs...>) {
  return {Fs::kName...};
}

template <class... Fs>
std::size_t num_schemes_in(VariantList<Fs...>) {
  return (std::tuple_size_v<typename Fs::SupportedProbes> + ...);
}

}  // namespace

TEST_CASE("registry: the variants are in the order of the list", "[variants][registry]") {
  std::vector<std::string_view> names;
  for (const VariantInfo& info : all_variant_infos()) names.push_back(info.name);
  CHECK(names == names_in(AllVariants{}));
  CHECK(names.front() == "standard");
}

TEST_CASE("registry: every scheme of every variant makes a filter of that name",
          "[variants][registry]") {
  std::size_t num_made = 0;
  for (const VariantInfo& info : all_variant_infos()) {
    for (const SchemeInfo& scheme : info.schemes) {
      const AnyFilter filter = make_filter(info.name, scheme.name,
                                           {.capacity = 100, .target_false_positive_rate = 0.01});
      CHECK(filter.name() == info.name);
      ++num_made;
    }
  }
  CHECK(num_made == num_schemes_in(AllVariants{}));
}

TEST_CASE("registry: operations follow from the concepts", "[variants][registry]") {
  const auto has = [](std::string_view variant, std::string_view operation) {
    const std::vector<Operation>& can = find_variant(variant).operations;
    return std::any_of(can.begin(), can.end(),
                       [&](Operation each) { return name_of(each) == operation; });
  };
  CHECK(has("standard", "insert"));
  CHECK_FALSE(has("standard", "erase"));
  CHECK(has("counting", "erase"));
  CHECK(has("cuckoo", "erase"));
  CHECK(has("cuckoo", "borrow"));
  CHECK_FALSE(has("cuckoo", "merge"));
  CHECK_FALSE(has("cuckoo", "grow"));
  CHECK(has("d_left", "erase"));
  CHECK(has("d_left", "borrow"));
  CHECK_FALSE(has("d_left", "merge"));
  CHECK_FALSE(has("d_left", "estimate_count"));
  CHECK(has("variable_increment", "erase"));
  CHECK(has("scalable", "grow"));
  CHECK_FALSE(has("counting", "grow"));
  CHECK(has("partitioned", "borrow"));
  CHECK_FALSE(has("scalable", "borrow"));
  CHECK(has("rotating", "tick"));
  for (const std::string_view operation : {"borrow", "merge", "fold", "estimate_count", "grow"}) {
    CHECK_FALSE(has("rotating", operation));
  }
  for (const std::string_view variant : {"standard", "partitioned", "counting"}) {
    CHECK(has(variant, "merge"));
    CHECK(has(variant, "fold") == (variant != "counting"));
    CHECK(has(variant, "intersect") == (variant == "standard"));
  }
  for (const std::string_view variant : {"scalable", "variable_increment"}) {
    for (const std::string_view operation : {"merge", "intersect", "fold"}) {
      CHECK_FALSE(has(variant, operation));
    }
  }
  for (const std::string_view variant : {"blocked", "split_block", "lanes", "blocked_counting"}) {
    CHECK(has(variant, "merge"));
    CHECK(has(variant, "borrow"));
    CHECK(has(variant, "erase") == (variant == "blocked_counting"));
    CHECK(has(variant, "fold") == (variant != "blocked_counting"));
    CHECK(has(variant, "intersect") == (variant == "blocked" || variant == "lanes"));
  }
  for (const std::string_view variant :
       {"standard", "partitioned", "counting", "scalable", "variable_increment", "blocked",
        "split_block", "lanes", "blocked_counting"}) {
    CHECK(has(variant, "estimate_count"));
  }
  CHECK(variants_that_can(Operation::kGrow) == std::vector<std::string_view>{"scalable"});
}

TEST_CASE("registry: variants have their size axes", "[variants][registry]") {
  CHECK(find_variant("counting").has_size_axis(SizeAxis::kNumCounters));
  CHECK(find_variant("variable_increment").has_size_axis(SizeAxis::kNumCounters));
  CHECK_FALSE(find_variant("standard").has_size_axis(SizeAxis::kNumCounters));
  CHECK(find_variant("scalable").size_axes == std::vector<SizeAxis>{SizeAxis::kRate});
}

TEST_CASE("registry: limited variants are those whose filters refuse keys",
          "[variants][registry]") {
  for (const VariantInfo& info : all_variant_infos()) {
    CAPTURE(info.name);
    const AnyFilter filter = make_filter(info.name, info.schemes.front().name,
                                         {.capacity = 100, .target_false_positive_rate = 0.01});
    CHECK(filter.is_limited() == info.is_limited);
  }
  CHECK(find_variant("d_left").is_limited);
  CHECK(find_variant("cuckoo").is_limited);
  CHECK_FALSE(find_variant("counting").is_limited);
}

TEST_CASE("registry: the resolved parameters describe the filter with its cells and k",
          "[variants][registry]") {
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.can(Operation::kGrow)) continue;
    CAPTURE(info.name);
    const FilterSpec spec{.capacity = 1000, .target_false_positive_rate = 1e-4};
    const Geometry geometry = info.geometry(spec);
    FilterSpec resolved{.num_hashes = geometry.num_hashes, .params = info.resolved_params(spec)};
    set_size(resolved, info.cell_axis(), geometry.num_cells);
    CHECK(info.geometry(resolved) == geometry);
    CHECK(info.resolved_params(resolved) == resolved.params);
  }
}

TEST_CASE("registry: parameters of one name have one kind in all variants",
          "[variants][registry]") {
  std::map<std::string_view, ParamKind> kinds;
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const ParamInfo& info : variant.params) {
      CAPTURE(variant.name, info.name);
      CHECK(kinds.try_emplace(info.name, info.kind).first->second == info.kind);
    }
  }
}

TEST_CASE("registry: filters of blocks can be sized in blocks", "[variants][registry]") {
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.can(Operation::kGrow)) continue;
    CAPTURE(info.name);
    FilterSpec spec{.num_bits = 100'000, .num_hashes = info.min_num_hashes};
    if (info.can(Operation::kTick)) spec.params["generation_capacity"] = 100.0;
    const Geometry geometry = info.geometry(spec);
    CHECK(info.has_size_axis(SizeAxis::kNumBlocks) == (geometry.block_cells > 1));
  }
  CHECK(find_variant("blocked_counting").has_size_axis(SizeAxis::kNumCounters));
}

TEST_CASE("registry: the default scheme is remix, or the scheme made for blocks",
          "[variants][registry]") {
  const auto default_scheme = [](std::string_view variant) {
    return find_variant(variant).schemes.front().name;
  };
  for (const std::string_view variant :
       {"standard", "partitioned", "counting", "scalable", "variable_increment", "rotating"}) {
    CHECK(default_scheme(variant) == "remix");
  }
  CHECK(default_scheme("blocked") == "bit_fields");
  CHECK(default_scheme("blocked_counting") == "bit_fields");
  CHECK(default_scheme("split_block") == "parquet_salts");
  CHECK(default_scheme("lanes") == "lane_fields");
  CHECK(default_scheme("d_left") == "digest_words");
  CHECK(default_scheme("cuckoo") == "digest_words");
}

TEST_CASE("registry: k has bounds and may be fixed", "[variants][registry]") {
  const auto bounds = [](std::string_view variant) {
    const VariantInfo& info = find_variant(variant);
    return std::pair(info.min_num_hashes, info.max_num_hashes);
  };
  CHECK(bounds("standard") == std::pair(1U, 64U));
  CHECK(bounds("blocked") == std::pair(1U, 16U));
  CHECK(bounds("blocked_counting") == std::pair(1U, 16U));
  CHECK(bounds("split_block") == std::pair(8U, 8U));
  CHECK(bounds("lanes") == std::pair(8U, 8U));
  CHECK(bounds("d_left") == std::pair(2U, 8U));
  CHECK(bounds("cuckoo") == std::pair(2U, 2U));
}

TEST_CASE("registry: schemes have their probe model and state whether they follow it",
          "[variants][registry]") {
  CHECK(find_variant("standard").scheme("distinct").model == ProbeModel::kDistinct);
  CHECK(find_variant("standard").scheme("remix").model == ProbeModel::kWithReplacement);
  CHECK(find_variant("partitioned").scheme("remix").model == ProbeModel::kPartitioned);
  CHECK_FALSE(find_variant("standard").scheme("double_mod").follows_model);
  CHECK(find_variant("standard").scheme("independent").follows_model);
}

TEST_CASE("registry: unknown names are refused with the known ones", "[variants][registry]") {
  CHECK_THROWS_WITH(find_variant("morton"),
                    "variant must be one of " + joined(names_in(AllVariants{})) + ", got 'morton'");
  CHECK_THROWS_AS(make_filter("variable_increment", "distinct", {.num_counters = 9}), ConfigError);
  CHECK_THROWS_AS(make_filter("partitioned", "double_mod", {.num_bits = 9}), ConfigError);
  CHECK_THROWS_AS(make_filter("standard", "remix", {}), ConfigError);
}

TEST_CASE("registry: erase of a variant without erase is a programming error",
          "[variants][registry]") {
  AnyFilter filter = make_filter("standard", "remix", {.num_bits = 64, .num_hashes = 2});
  CHECK_FALSE(filter.can_erase());
  CHECK_THROWS_AS(filter.erase(test::member_digests(1)), std::logic_error);
}

}  // namespace bloometry
