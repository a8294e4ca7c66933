#include "experiments/filter_files/filter_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/filter_rates.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

std::unique_ptr<FileFilter> sized_for(std::uint64_t capacity, double rate) {
  const SchemeInfo& scheme = find_variant("standard").schemes.front();
  FileHeader header;
  header.notes = {.capacity = capacity, .target_false_positive_rate = rate};
  return std::make_unique<BloometryFilter>(
      scheme.make({.capacity = capacity, .target_false_positive_rate = rate}),
      FilterHash("xxh3", 0, std::nullopt), header);
}

std::uint64_t insert(FileFilter& filter, std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back("key " + std::to_string(first + i));
  return filter.insert(std::vector<KeyView>(keys.begin(), keys.end()));
}

}  // namespace

TEST_CASE("a repeated key counts as one key in the number of keys left", "[filters]") {
  const std::unique_ptr<FileFilter> filter = sized_for(2, 0.01);
  CHECK(insert(*filter, 7, 1) == 1);
  CHECK(insert(*filter, 7, 1) == 0);
  FileNotes notes = filter->notes();
  notes.num_inserted = 2;
  filter->set_notes(notes);
  const FilterFacts facts = filter->facts();
  CHECK(facts.num_keys_at_target == 2U);
  CHECK(facts.num_keys_left() == 1U);
  CHECK(num_distinct_keys(facts, 2, 1) == 1);
}

TEST_CASE("the number of keys left is the number at the target minus the estimate", "[filters]") {
  FilterFacts facts{.estimated_num_keys = 12.4, .num_keys = 99, .num_keys_at_target = 20};
  CHECK(facts.num_keys_left() == 8U);
  facts.estimated_num_keys = 20.6;
  CHECK(facts.num_keys_left() == 0U);
  facts.estimated_num_keys = std::numeric_limits<double>::infinity();
  CHECK(facts.num_keys_left() == 0U);
  facts.estimated_num_keys.reset();
  facts.num_keys = 15;
  CHECK(facts.num_keys_left() == 5U);
  facts.num_keys.reset();
  CHECK_FALSE(facts.num_keys_left());
  facts = {.estimated_num_keys = 1};
  CHECK_FALSE(facts.num_keys_left());
}

TEST_CASE("distinct keys are counted, and repeated keys are estimated", "[filters]") {
  const std::unique_ptr<FileFilter> filter = sized_for(5000, 0.01);
  const std::uint64_t num_new = insert(*filter, 0, 5000);
  CHECK(num_new < 5000);  // some of the keys are false positives
  CHECK(num_distinct_keys(filter->facts(), 5000, num_new) == 5000);
  const std::uint64_t num_new_again = insert(*filter, 0, 5000);
  CHECK(num_new_again == 0);
  const std::uint64_t distinct = num_distinct_keys(filter->facts(), 10'000, num_new);
  CHECK(distinct >= num_new);
  CHECK(distinct < 5100);
}

TEST_CASE("the number of distinct keys is between the new keys and the inserted keys",
          "[filters]") {
  FilterFacts facts{.estimated_num_keys = 3.2, .rate_given_state = 0.01};
  CHECK(num_distinct_keys(facts, 100, 5) == 5);
  facts.estimated_num_keys = 1e9;
  CHECK(num_distinct_keys(facts, 100, 5) == 100);
  facts.estimated_num_keys = std::numeric_limits<double>::infinity();
  CHECK(num_distinct_keys(facts, 100, 5) == 100);
  facts.estimated_num_keys.reset();
  CHECK(num_distinct_keys(facts, 100, 5) == 5);
  CHECK(num_distinct_keys(facts, 0, 0) == 0);
  CHECK(num_distinct_keys(facts, 100, 99) == 100);  // one false positive is expected
  CHECK(num_distinct_keys(facts, 100, 97) == 100);  // 3 have probability 0.08
  CHECK(num_distinct_keys(facts, 100, 92) == 92);   // 8 have probability 1e-5
}

TEST_CASE("a rate is exact only for a count of keys that the cells do not contradict",
          "[filters]") {
  const std::unique_ptr<FileFilter> filter = sized_for(5000, 0.01);
  insert(*filter, 0, 5000);
  const auto facts_with = [&](std::optional<std::uint64_t> num_inserted) {
    FileNotes notes = filter->notes();
    notes.num_inserted = num_inserted;
    filter->set_notes(notes);
    return filter->facts();
  };
  const FilterFacts counted = facts_with(5000);
  CHECK(counted.num_keys == 5000U);
  CHECK_FALSE(counted.is_num_keys_estimated);
  CHECK(counted.expected->kind == RateKind::kExact);
  CHECK(counted.expected_rate == counted.expected->rate);
  CHECK(counted.remark.empty());
  for (const std::optional<std::uint64_t> num_inserted :
       {std::optional<std::uint64_t>(20'000), std::optional<std::uint64_t>()}) {
    CAPTURE(num_inserted.value_or(0));
    const FilterFacts estimated = facts_with(num_inserted);
    CHECK(estimated.is_num_keys_estimated);
    CHECK(static_cast<double>(*estimated.num_keys) == std::round(*estimated.estimated_num_keys));
    CHECK(estimated.expected->kind == RateKind::kModel);
    CHECK(estimated.expected->formula == "estimated_keys");
    CHECK(estimated.expected->rate == Approx(counted.expected->rate).epsilon(0.1));
    CHECK_FALSE(estimated.expected_rate);
    CHECK(estimated.why_no_expected_rate ==
          "the number of distinct keys is estimated from the set cells");
    CHECK(estimated.remark.empty() == !num_inserted);
    CHECK(estimated.given_state->kind == RateKind::kExact);
  }
}

TEST_CASE("a rate is not exact after erases that saturated counters have not followed",
          "[filters]") {
  const SchemeInfo& scheme = find_variant("counting").schemes.front();
  BloometryFilter filter(
      scheme.make({.num_counters = 2000, .num_hashes = 4, .params = {{"counter_bits", 1.0}}}),
      FilterHash("xxh3", 0, std::nullopt), FileHeader{});
  insert(filter, 0, 100);
  filter.set_notes({.num_inserted = 100});
  CHECK(filter.facts().expected->kind == RateKind::kExact);
  const std::string key = "key 1";
  const KeyView view(key);
  bool was_present = false;
  filter.erase({&view, 1}, {&was_present, 1});
  REQUIRE(was_present);
  const FilterFacts facts = filter.facts();
  CHECK(facts.state.num_skipped_decrements > 0U);
  CHECK(facts.expected->kind == RateKind::kModel);
  CHECK(facts.expected->formula == "all_erased");
  CHECK_FALSE(facts.expected_rate);
}

TEST_CASE("an insert into a table occupies at most one cell", "[filters]") {
  const std::string variant = GENERATE(as<std::string>{}, "cuckoo", "d_left");
  BloometryFilter filter(find_variant(variant).schemes.front().make({.num_counters = 1344}),
                         FilterHash("xxh3", 0, std::nullopt), FileHeader{});
  insert(filter, 0, 1000);
  const auto facts_with = [&](std::uint64_t num_inserted) {
    filter.set_notes({.num_inserted = num_inserted});
    return filter.facts();
  };
  CHECK(contradiction_in(facts_with(1000)).empty());
  CHECK(facts_with(1000).remark.empty());
  CHECK(facts_with(1000).num_keys == 1000U);
  const std::string occupied = std::to_string(facts_with(1000).state.num_ones);
  for (const std::uint64_t num_inserted : {0, 1, 250, 500, 998}) {
    CHECK(contradiction_in(facts_with(num_inserted)) ==
          std::to_string(num_inserted) + " inserted key" + (num_inserted == 1 ? "" : "s") +
              " cannot occupy " + (occupied == "1000" ? "1,000" : occupied) + " cells");
  }
  // Keys may have been erased. In d_left, keys may also have been repeated.
  const FilterFacts more = facts_with(2000);
  CHECK(contradiction_in(more).empty());
  if (variant == "d_left") return;
  CHECK(more.remark ==
        "2,000 inserts are counted in the file, but the table has 1,000 occupied cells, so that "
        "keys were erased, or the count is wrong");
  CHECK_FALSE(more.num_keys);
  CHECK_FALSE(more.expected);
  CHECK(more.why_no_expected_rate == "the number of keys is unknown");
}

TEST_CASE("a table of more cells than fingerprints is damaged", "[filters]") {
  FilterFacts facts{.num_hashes = 4, .is_table = true};
  facts.state = {.num_ones = 100, .conditional_false_positive_rate = 1};
  CHECK(contradiction_in(facts).empty());
  facts.state.conditional_false_positive_rate = 1.25;
  CHECK(contradiction_in(facts) ==
        "the table has 100 occupied cells, more than it has fingerprints");
  const VariantInfo& d_left = find_variant("d_left");
  const RatedFilter filter{
      .variant = d_left, .scheme = d_left.schemes.front(), .spec = {.num_counters = 64}};
  CHECK(rate_given_state(filter, 28.155, 10).rate == 1);
}

TEST_CASE("a target rate outside (0, 1) is a contradiction, and does not prevent the description",
          "[filters]") {
  const std::string variant = GENERATE(as<std::string>{}, "standard", "cuckoo", "d_left");
  const VariantInfo& info = find_variant(variant);
  FilterSpec spec{.num_hashes = std::max(2U, info.min_num_hashes)};
  set_size(spec, info.cell_axis(), 1344);
  BloometryFilter filter(info.schemes.front().make(spec), FilterHash("xxh3", 0, std::nullopt),
                         FileHeader{});
  const std::vector<std::pair<double, std::string>> rates = {
      {std::numeric_limits<double>::quiet_NaN(), "nan"}, {0, "0"}, {1, "1"}, {-0.5, "-0.5"}};
  for (const auto& [rate, text] : rates) {
    filter.set_notes({.target_false_positive_rate = rate, .num_inserted = 0});
    const FilterFacts facts = filter.facts();
    CHECK(contradiction_in(facts) == "target_false_positive_rate must be in (0, 1), got " + text);
    CHECK_FALSE(facts.num_keys_at_target);
  }
}

TEST_CASE("a count of new keys is not the number of keys of an intersection", "[filters]") {
  for (const std::string_view format : {"dcso", "redisbloom"}) {
    CAPTURE(format);
    const auto filter_of = [&](std::uint64_t first, std::uint64_t count) {
      std::unique_ptr<FileFilter> filter =
          make_foreign_filter(format, {.num_keys = 2000, .rate = 0.01});
      insert(*filter, first, count);
      return filter;
    };
    const std::unique_ptr<FileFilter> common = filter_of(0, 1500);
    CHECK(common->facts().remark.empty());
    CHECK(common->facts().num_keys.has_value());
    common->intersect(*filter_of(1400, 1500));
    const FilterFacts facts = common->facts();
    CHECK(*facts.notes.num_inserted < 300);
    CHECK_FALSE(facts.num_keys);
    CHECK_FALSE(facts.estimated_num_keys);
    CHECK_FALSE(facts.expected);
    CHECK_FALSE(facts.num_keys_left());
    CHECK(facts.why_no_estimate == kWhyNoEstimateOfFewKeys);
    CHECK(facts.remark.ends_with("the filter is an intersection, or the count is wrong"));
    CHECK(facts.given_state->rate > 0);
    CHECK(contradiction_in(facts).empty());
    // A full filter counts few of its keys, because most new keys test positive.
    if (format == std::string_view("dcso")) {
      const FilterFacts full = filter_of(0, 16'000)->facts();
      CHECK(*full.notes.num_inserted < 12'000);
      CHECK(full.remark.empty());
      CHECK(full.num_keys.has_value());
    }
  }
}

TEST_CASE("a filter that grows has its initial capacity", "[filters]") {
  const SchemeInfo& scheme = find_variant("scalable").schemes.front();
  const auto initial_capacity = [&](const FilterSpec& spec) {
    return BloometryFilter(scheme.make(spec), FilterHash("xxh3", 0, std::nullopt), FileHeader{})
        .facts()
        .initial_capacity;
  };
  CHECK(initial_capacity({.target_false_positive_rate = 0.01}) == 10'000U);
  CHECK(initial_capacity({.capacity = 70, .target_false_positive_rate = 0.01}) == 70U);
  const auto chain = make_foreign_filter("redisbloom", {.num_keys = 50, .rate = 0.01});
  insert(*chain, 0, 500);
  const FilterFacts facts = chain->facts();
  CHECK(facts.state.num_stages > 1U);
  CHECK(facts.notes.capacity > 500U);
  CHECK(facts.initial_capacity == 50U);
  CHECK_FALSE(sized_for(100, 0.01)->facts().initial_capacity);
}

TEST_CASE("filters of every format count their new keys", "[filters]") {
  for (const std::string_view format : foreign_file_formats()) {
    CAPTURE(format);
    const std::unique_ptr<FileFilter> filter =
        format == "php3" ? make_foreign_filter(format, {.num_bits = 8192 * 4})
                         : make_foreign_filter(format, {.num_keys = 1000, .rate = 1e-4});
    CHECK(insert(*filter, 1, 1) == 1);
    CHECK(insert(*filter, 1, 1) == 0);
  }
}

TEST_CASE("a filter with more stages than the theory supports is described", "[filters]") {
  const SchemeInfo& scheme = find_variant("scalable").schemes.front();
  BloometryFilter filter(
      scheme.make(
          {.capacity = 1,
           .target_false_positive_rate = 0.01,
           .params = {{"stages", "lanes"}, {"growth_factor", 1.0}, {"tightening_ratio", 0.999}}}),
      FilterHash("xxh3", 0, std::nullopt), FileHeader{});
  insert(filter, 0, 10'100);
  filter.set_notes({.num_inserted = 10'100});
  const FilterFacts facts = filter.facts();
  CHECK_FALSE(facts.expected_rate);
  CHECK(facts.why_no_expected_rate ==
        "initial_capacity and growth_factor must give at most 10000 stages for 10100 keys, got 1 "
        "and 1, which give 10100 stages");
  CHECK(facts.rate_given_state > 0);
}

}  // namespace bloometry
