#include "experiments/filter_files/filter_facts.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "tests/support/catch.hpp"
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
  BloometryFilter filter(scheme.make({.capacity = 1,
                                      .target_false_positive_rate = 0.01,
                                      .params = {{"stages", "lanes"}, {"growth_factor", 1.0}}}),
                         FilterHash("xxh3", 0, std::nullopt), FileHeader{});
  insert(filter, 0, 100);
  filter.set_notes({.num_inserted = 20'001});
  const FilterFacts facts = filter.facts();
  CHECK_FALSE(facts.expected_rate);
  CHECK(facts.why_no_expected_rate ==
        "initial_capacity and growth_factor must give at most 10000 stages for 20001 keys, got 1 "
        "and 1, which give 20001 stages");
  CHECK(facts.rate_given_state > 0);
}

}  // namespace bloometry
