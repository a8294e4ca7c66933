#include "experiments/trial/item_stream.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "core/statistics/seed_sequence.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/defects/exact_generations.hpp"
#include "tests/support/digests.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using test::ExactGenerations;
using test::GenerationDefect;
using Insert = ItemStream::Insert;

Unit unit_of_stream(const ItemStream& stream, std::uint64_t trial = 0) {
  Unit unit = test::small_unit("standard", 64, {{1, 1, 1}});
  unit.stream = stream;
  unit.trial = trial;
  return unit;
}

/// A filter without false positives, written from the definition of a stream: sets of ranks, the
/// newest first, of which each takes `capacity` inserts.
class Oracle {
 public:
  Oracle(const Unit& unit, std::uint64_t num_sets, std::uint64_t capacity)
      : stream_(*unit.stream),
        draws_(SeedSequence(unit.root_seed).seed("stream", unit.keys.name, unit.trial)),
        ranks_(stream_.zipf, stream_.num_distinct),
        num_sets_(num_sets),
        capacity_(capacity) {}

  void process(std::uint64_t num_items) {
    for (; num_items_ < num_items; ++num_items_) process_item(ranks_.rank(draws_.next_word()));
  }

  std::uint64_t num_originals = 0;
  std::uint64_t num_duplicates_passed = 0;
  std::uint64_t num_held_duplicates = 0;

 private:
  void process_item(std::uint64_t rank) {
    const bool is_original = met_.insert(rank).second;
    bool is_held = false;
    for (const auto& set : sets_) is_held |= set.contains(rank);
    if (is_original) {
      ++num_originals;
    } else {
      ++(is_held ? num_held_duplicates : num_duplicates_passed);
    }
    if (!is_held || stream_.insert == Insert::kAll) insert(rank);
  }

  void insert(std::uint64_t rank) {
    if (stream_.clear_every > 0 && num_since_clear_ == stream_.clear_every) {
      sets_ = {{}};
      num_in_newest_ = num_since_clear_ = 0;
    }
    if (num_in_newest_ == capacity_) {
      sets_.emplace_front();
      if (sets_.size() > num_sets_) sets_.pop_back();
      num_in_newest_ = 0;
    }
    sets_.front().insert(rank);
    ++num_in_newest_;
    ++num_since_clear_;
  }

  ItemStream stream_;
  Draws draws_;
  ZipfRanks ranks_;
  std::uint64_t num_sets_;
  std::uint64_t capacity_;
  std::deque<std::set<std::uint64_t>> sets_ = {{}};
  std::set<std::uint64_t> met_{};
  std::uint64_t num_items_ = 0;
  std::uint64_t num_in_newest_ = 0;
  std::uint64_t num_since_clear_ = 0;
};

/// Returns the counts of a stream after num_items items, in steps, into the filter.
TrialRow row_of_stream(const Unit& unit, AnyFilter& filter, std::uint64_t num_items,
                       const std::optional<KeyLifetime>& lifetime) {
  const std::vector<Digest> keys = test::member_digests(unit.stream->num_distinct);
  ItemStreamRun items(unit, filter, keys, lifetime);
  const TrialContext context;
  UnitRun run{unit, context};
  for (std::uint64_t n = 0; n <= num_items; n += 1 + num_items / 7) items.run_up_to(run, n);
  items.run_up_to(run, num_items);
  TrialRow row;
  items.count(row);
  const std::vector<Digest> sample = items.sample();
  row.num_member_queries = sample.size();
  row.num_false_negatives = sample.size() - filter.count_positives(sample);
  return row;
}

template <GenerationDefect kDefect = GenerationDefect::kNone>
TrialRow row_of_generations(const Unit& unit, std::uint64_t num_generations, std::uint64_t capacity,
                            std::uint64_t num_items) {
  AnyFilter filter(ExactGenerations<kDefect>(test::spec_of_generations(num_generations, capacity)));
  return row_of_stream(unit, filter, num_items, lifetime_of(filter.window().value(), false, 1));
}

/// Calls check(unit, num_generations, capacity, num_items) for small streams of every kind.
template <class Check>
void for_each_stream(Check check) {
  std::uint64_t trial = 0;
  for (const Insert insert : {Insert::kPassed, Insert::kAll}) {
    for (const std::uint64_t clear_every : {0, 1, 5, 40}) {
      for (const std::uint64_t num_distinct : {1, 2, 30}) {
        for (const std::uint64_t capacity : {1, 2, 7}) {
          for (const std::uint64_t num_generations : {2, 5}) {
            const ItemStream stream{.zipf = 0.7,
                                    .num_distinct = num_distinct,
                                    .insert = insert,
                                    .clear_every = clear_every};
            check(unit_of_stream(stream, ++trial), num_generations, capacity, 300);
          }
        }
      }
    }
  }
}

/// Returns the number of lost duplicates and of false negatives over all streams.
template <GenerationDefect kDefect>
std::uint64_t num_lost_by() {
  std::uint64_t num_lost = 0;
  for_each_stream([&](const Unit& unit, std::uint64_t num_generations, std::uint64_t capacity,
                      std::uint64_t num_items) {
    num_lost += *row_of_generations<kDefect>(unit, num_generations, capacity, num_items)
                     .num_lost_duplicates;
  });
  return num_lost;
}

}  // namespace

TEST_CASE("item_stream: the counts are those of sets of keys", "[experiments][trial]") {
  for_each_stream([](const Unit& unit, std::uint64_t num_generations, std::uint64_t capacity,
                     std::uint64_t num_items) {
    const TrialRow row = row_of_generations(unit, num_generations, capacity, num_items);
    Oracle oracle(unit, num_generations, capacity);
    oracle.process(num_items);
    CAPTURE(unit.trial, num_generations, capacity, unit.stream->num_distinct,
            unit.stream->clear_every, unit.stream->insert_name());
    REQUIRE(row.num_originals == oracle.num_originals);
    REQUIRE(row.num_originals_stopped == 0U);
    REQUIRE(row.num_duplicates == num_items - oracle.num_originals);
    REQUIRE(row.num_duplicates_passed == oracle.num_duplicates_passed);
    REQUIRE(row.num_held_duplicates == oracle.num_held_duplicates);
    REQUIRE(row.num_lost_duplicates == 0U);
    REQUIRE(row.num_false_negatives == 0U);
    REQUIRE(row.num_member_queries <= unit.stream->num_distinct);
  });
}

TEST_CASE("item_stream: a filter that forgets too early loses duplicates", "[experiments][trial]") {
  CHECK(num_lost_by<GenerationDefect::kNone>() == 0);
  CHECK(num_lost_by<GenerationDefect::kClosesAfterInsert>() > 0);
  CHECK(num_lost_by<GenerationDefect::kForgetsRepeats>() > 0);
}

TEST_CASE("item_stream: a filter that keeps keys too long passes fewer duplicates",
          "[experiments][trial]") {
  const Unit unit = unit_of_stream({.zipf = 0.5, .num_distinct = 50});
  const auto passed_by = [&](const TrialRow& row) { return *row.num_duplicates_passed; };
  CHECK(passed_by(row_of_generations<GenerationDefect::kKeepsOneMore>(unit, 3, 5, 1000)) <
        passed_by(row_of_generations(unit, 3, 5, 1000)));
}

TEST_CASE("item_stream: a filter that is never cleared passes no duplicate",
          "[experiments][trial]") {
  for (const Insert insert : {Insert::kPassed, Insert::kAll}) {
    const Unit unit = unit_of_stream({.zipf = 1, .num_distinct = 5000, .insert = insert});
    AnyFilter filter = make_filter("standard", "remix", {.num_bits = 4000, .num_hashes = 3});
    const TrialRow row = row_of_stream(unit, filter, 20'000, std::nullopt);
    CHECK(row.num_duplicates_passed == 0U);
    // An original that was stopped is inserted only if all items are. Its duplicates are held then.
    CHECK((*row.num_held_duplicates == *row.num_duplicates) == (insert == Insert::kAll));
    CHECK(*row.num_originals_stopped > 0);
  }
}

TEST_CASE("item_stream: the counts of an empty stream are 0", "[experiments][trial]") {
  const Unit unit = unit_of_stream({.zipf = 1, .num_distinct = 1});
  const TrialRow row = row_of_generations(unit, 2, 1, 0);
  CHECK(row.num_originals == 0U);
  CHECK(row.num_duplicates == 0U);
  CHECK(row.num_member_queries == 0U);
}

}  // namespace bloometry
