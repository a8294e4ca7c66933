// Compares the rotating filter with its definition, at drawn shapes and events.

#include "tests/variants/rotating_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/rotating/rotating_filter.hpp"

namespace bloometry {
namespace {

using test::apply;
using test::drawn;
using test::drawn_events;
using test::drawn_shape;
using test::Event;
using test::num_inserts;
using test::ReferenceRing;
using test::RotatingShape;

}  // namespace

TEST_CASE("rotating: every key is found within the window, at every phase", "[rotating]") {
  std::mt19937_64 random(test::test_seed());
  std::uint64_t num_checked = 0;
  for (int i = 0; i < 1500; ++i) {
    const RotatingShape shape = drawn_shape(random);
    CAPTURE(i, shape);
    RotatingFilter filter(shape.spec());
    const std::uint64_t window = (shape.num_generations - 1) * shape.generation_capacity + 1;
    REQUIRE(filter.window().num_inserts == window);
    const std::vector<Event> events = drawn_events(random, 3 * window + 5, 0);
    for (std::size_t now = 0; now < events.size(); ++now) {
      apply(events[now], filter);
      // At most `window` insert calls, its own included, have been made since each of these.
      for (std::size_t of_key = now + 1; of_key-- > 0 && now - of_key < window;) {
        if (!filter.contains(*events[of_key].key)) FAIL("key " << of_key << " after " << now);
        ++num_checked;
      }
    }
  }
  CHECK(num_checked > 1'000'000);
}

TEST_CASE("rotating: ticks keep each key for B - 1 rotations, and mixed ticks never shorten that",
          "[rotating]") {
  std::mt19937_64 random(test::test_seed() + 1);
  std::uint64_t num_checked = 0;
  for (int i = 0; i < 1500; ++i) {
    RotatingShape shape = drawn_shape(random);
    if (i % 2 == 0) shape.rotation = "ticks";
    CAPTURE(i, shape);
    RotatingFilter filter(shape.spec());
    ReferenceRing reference(shape);
    std::vector<std::uint64_t> rotations_at_insert;
    const std::vector<Event> events = drawn_events(random, 120, 0.1);
    for (std::size_t now = 0; now < events.size(); ++now) {
      apply(events[now], filter);
      apply(events[now], reference);
      const std::uint64_t num_rotations = reference.counts().num_rotations;
      rotations_at_insert.push_back(num_rotations);
      for (std::size_t of_key = 0; of_key <= now; ++of_key) {
        if (!events[of_key].key) continue;
        const std::uint64_t rotations = num_rotations - rotations_at_insert[of_key];
        if (rotations >= shape.num_generations) continue;
        const auto age = filter.age(*events[of_key].key);
        if (!age || *age > rotations) FAIL("key " << of_key << " after " << now);
        ++num_checked;
      }
    }
    GenerationCounts counts = filter.generations();
    counts.num_overfull = 0;
    if (counts != reference.counts()) FAIL("counts of generations");
    CHECK(counts.num_ticks == events.size() - num_inserts(events));
  }
  CHECK(num_checked > 1'000'000);
}

TEST_CASE("rotating: answers, ages, results of insert and rates are those of B plain filters",
          "[rotating]") {
  std::mt19937_64 random(test::test_seed() + 2);
  std::uint64_t num_positives = 0;
  for (int i = 0; i < 400; ++i) {
    RotatingShape shape = drawn_shape(random);
    if (i % 4 == 0) shape.rotation = "ticks";
    CAPTURE(i, shape);
    RotatingFilter filter(shape.spec());
    ReferenceRing reference(shape);
    std::vector<Digest> queries;
    for (int j = 0; j < 40; ++j) queries.push_back({random(), random()});
    for (const Event& event : drawn_events(random, 150, 0.05)) {
      if (event.key) {
        queries.push_back(*event.key);
        if (filter.insert(*event.key) != reference.insert(*event.key)) FAIL("insert");
      } else {
        apply(event, filter);
        apply(event, reference);
      }
      for (const Digest& query : queries) {
        const auto age = reference.age(query);
        if (filter.contains(query) != age.has_value() || filter.age(query) != age) FAIL("age");
      }
    }
    std::vector<std::uint64_t> masks((queries.size() + 63) / 64);
    for (std::size_t first = 0; first < queries.size(); first += kMaxQueryKeys) {
      const auto some = std::span(queries).subspan(
          first, std::min<std::size_t>(kMaxQueryKeys, queries.size() - first));
      contains_masks_of(filter, some, masks.data() + first / 64);
    }
    for (std::size_t j = 0; j < queries.size(); ++j) {
      const bool answer = (masks[j / 64] >> (j % 64) & 1U) != 0;
      if (answer != reference.age(queries[j]).has_value()) FAIL("mask of " << j);
      num_positives += answer ? 1 : 0;
    }
    // The sums of the two sides are in another order.
    CHECK(std::abs(filter.state().conditional_false_positive_rate - reference.rate()) <= 1e-12);
  }
  CHECK(num_positives > 1000);
}

TEST_CASE("rotating: a batch insert rotates within the batch as single inserts do", "[rotating]") {
  std::mt19937_64 random(test::test_seed() + 3);
  for (int i = 0; i < 300; ++i) {
    const RotatingShape shape = drawn_shape(random);
    CAPTURE(i, shape);
    RotatingFilter batch(shape.spec());
    RotatingFilter single(shape.spec());
    for (int round = 0; round < 6; ++round) {
      std::vector<Digest> keys;
      for (const Event& event : drawn_events(random, drawn(random, 0, 200), 0)) {
        keys.push_back(*event.key);
      }
      std::uint64_t num_new = 0;
      for (const Digest& key : keys) num_new += single.insert(key) ? 1U : 0U;
      REQUIRE(insert_all(batch, std::span<const Digest>(keys)) == num_new);
      REQUIRE(batch == single);
    }
  }
}

}  // namespace bloometry
