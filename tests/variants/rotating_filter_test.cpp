// Tests the rules of the rotating filter: its window, its generations, and its ticks.

#include "variants/rotating/rotating_filter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/lane_stage/lane_stage.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"
#include "tests/variants/rotating_specs.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using test::message_of;
using test::RotatingShape;

/// A filter of one generation, with the digest of its slot.
class ReferenceGeneration {
 public:
  ReferenceGeneration(const RotatingShape& shape, std::uint64_t number)
      : slot_(number % shape.num_generations), kind_(shape.kind) {
    const FilterSpec spec{.num_bits = shape.bits_per_generation, .num_hashes = shape.num_hashes};
    if (kind_ == "standard") standard_.emplace(spec);
    if (kind_ == "blocked") blocked_.emplace(spec);
    if (kind_ == "lanes") lanes_.emplace(spec);
  }

  void insert(const Digest& key) {
    ++num_inserted_;
    if (standard_) standard_->insert(remix(key, slot_));
    if (blocked_) blocked_->insert(remix(key, slot_));
    if (lanes_) lanes_->insert(stage_digest(key, stage_factors(slot_)));
  }

  [[nodiscard]] bool contains(const Digest& key) const {
    if (standard_) return standard_->contains(remix(key, slot_));
    if (blocked_) return blocked_->contains(remix(key, slot_));
    return lanes_->contains(stage_digest(key, stage_factors(slot_)));
  }

  [[nodiscard]] double rate() const {
    if (standard_) return standard_->state().conditional_false_positive_rate;
    if (blocked_) return blocked_->state().conditional_false_positive_rate;
    return lanes_->state().conditional_false_positive_rate;
  }

  [[nodiscard]] std::uint64_t num_inserted() const { return num_inserted_; }

 private:
  std::uint64_t slot_;
  std::string kind_;
  std::uint64_t num_inserted_ = 0;
  std::optional<StandardFilter> standard_;
  std::optional<BlockedFilter> blocked_;
  std::optional<LanesFilter> lanes_;
};

/// The definition of the rotating filter: a list of plain filters, newest first, of which the last
/// is dropped.
class ReferenceRing {
 public:
  explicit ReferenceRing(const RotatingShape& shape) : shape_(shape) { open(); }

  bool insert(const Digest& key) {
    const bool was_absent = !age(key);
    const bool is_full = generations_.front().num_inserted() == shape_.generation_capacity;
    if (is_full && shape_.rotation == "inserts") open();
    generations_.front().insert(key);
    return was_absent;
  }

  void tick() {
    open();
    ++num_ticks_;
  }

  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& key) const {
    for (std::size_t age = 0; age < generations_.size(); ++age) {
      if (generations_[age].contains(key)) return age;
    }
    return std::nullopt;
  }

  [[nodiscard]] double rate() const {
    double none = 1;
    for (const ReferenceGeneration& generation : generations_) none *= 1 - generation.rate();
    return 1 - none;
  }

  [[nodiscard]] GenerationCounts counts() const {
    GenerationCounts counts{.num_rotations = num_opened_ - 1, .num_ticks = num_ticks_};
    for (const ReferenceGeneration& generation : generations_) {
      counts.num_inserted.push_back(generation.num_inserted());
    }
    counts.num_inserted.resize(shape_.num_generations);
    return counts;
  }

 private:
  void open() {
    generations_.emplace_front(shape_, num_opened_++);
    if (generations_.size() > shape_.num_generations) generations_.pop_back();
  }

  RotatingShape shape_;
  std::uint64_t num_opened_ = 0;
  std::uint64_t num_ticks_ = 0;
  std::deque<ReferenceGeneration> generations_;
};

std::uint64_t drawn(std::mt19937_64& random, std::uint64_t least, std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}

RotatingShape drawn_shape(std::mt19937_64& random) {
  constexpr std::array<const char*, 3> kKinds = {"standard", "blocked", "lanes"};
  RotatingShape shape{.num_generations = static_cast<unsigned>(drawn(random, 2, 9)),
                      .generation_capacity = drawn(random, 1, 12),
                      .kind = kKinds.at(drawn(random, 0, 2))};
  if (shape.kind == "standard") {
    shape.bits_per_generation = drawn(random, 16, 400);
    shape.num_hashes = static_cast<unsigned>(drawn(random, 1, 9));
  } else {
    shape.bits_per_generation = 512 * drawn(random, 1, 2);
    if (shape.kind == "blocked") shape.num_hashes = static_cast<unsigned>(drawn(random, 1, 9));
  }
  return shape;
}

/// An insert call of a key, or a tick.
struct Event {
  std::optional<Digest> key{};
};

/// Returns num_events events. A fifth of the inserts repeat a recent key.
std::vector<Event> drawn_events(std::mt19937_64& random, std::size_t num_events,
                                double share_of_ticks) {
  std::bernoulli_distribution is_tick(share_of_ticks);
  std::bernoulli_distribution repeats(0.2);
  std::vector<Event> events;
  std::vector<Digest> keys;
  for (std::size_t i = 0; i < num_events; ++i) {
    if (is_tick(random)) {
      events.push_back({});
      continue;
    }
    const bool is_repeat = !keys.empty() && repeats(random);
    const std::size_t back = drawn(random, 1, std::min<std::size_t>(keys.size() + 1, 30));
    keys.push_back(is_repeat && back <= keys.size() ? keys[keys.size() - back]
                                                    : Digest{random(), random()});
    events.push_back({keys.back()});
  }
  return events;
}

void apply(const Event& event, auto& filter) {
  if (event.key) {
    filter.insert(*event.key);
  } else {
    filter.tick();
  }
}

/// Returns the number of insert calls among the events in [first, last).
std::uint64_t num_inserts(std::span<const Event> events) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(events, [](const Event& event) { return event.key.has_value(); }));
}

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

TEST_CASE("rotating: a key is forgotten after B g further insert calls", "[rotating]") {
  for (const char* kind : {"standard", "blocked", "lanes"}) {
    CAPTURE(kind);
    // Large generations, so that no key is a false positive.
    const RotatingShape shape{.num_generations = 4,
                              .generation_capacity = 5,
                              .kind = kind,
                              .bits_per_generation = 1 << 16U};
    RotatingFilter filter(shape.spec());
    const auto keys = test::member_digests(100);
    for (std::size_t now = 0; now < keys.size(); ++now) {
      filter.insert(keys[now]);
      for (std::size_t of_key = 0; of_key <= now; ++of_key) {
        // The generation of the key closes before insert g + 1, and is cleared with the insert
        // that opens the generation B places later.
        const bool is_held = now / 5 - of_key / 5 < 4;
        if (filter.contains(keys[of_key]) != is_held) FAIL("key " << of_key << " after " << now);
      }
    }
  }
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

TEST_CASE("rotating: generations with more inserts than planned are counted, once each",
          "[rotating]") {
  const RotatingShape by_ticks{.generation_capacity = 3, .rotation = "ticks"};
  RotatingFilter filter(by_ticks.spec());
  CHECK_FALSE(filter.window().num_inserts);
  CHECK(filter.window().num_ticks == 3);
  const auto keys = test::member_digests(10);
  insert_all(filter, std::span(keys).first(3));
  CHECK(filter.generations().num_overfull == 0);
  insert_all(filter, std::span(keys).subspan(3, 3));
  CHECK(filter.generations().num_overfull == 1);
  filter.tick();
  CHECK(filter.generations().num_overfull == 1);
  insert_all(filter, std::span(keys).subspan(6, 4));
  filter.tick();
  CHECK(filter.generations() ==
        GenerationCounts{
            .num_inserted = {0, 4, 6, 0}, .num_rotations = 2, .num_ticks = 2, .num_overfull = 2});
  for (const Digest& key : keys) CHECK(filter.contains(key));
  filter.tick();
  filter.tick();
  CHECK(filter.generations().num_inserted == std::vector<std::uint64_t>{0, 0, 0, 4});
}

TEST_CASE("rotating: a tick at a full generation rotates once", "[rotating]") {
  // The insert after the tick finds an empty generation and does not rotate again.
  const RotatingShape shape{.num_generations = 3, .generation_capacity = 2};
  RotatingFilter filter(shape.spec());
  const auto keys = test::member_digests(3);
  insert_all(filter, std::span(keys).first(2));
  filter.tick();
  filter.insert(keys[2]);
  CHECK(filter.generations() ==
        GenerationCounts{.num_inserted = {1, 2, 0}, .num_rotations = 1, .num_ticks = 1});
}

TEST_CASE("rotating: clear gives the filter that was made", "[rotating]") {
  const RotatingShape shape{.num_generations = 3, .generation_capacity = 2};
  RotatingFilter filter(shape.spec());
  insert_all(filter, std::span<const Digest>(test::member_digests(7)));
  filter.tick();
  filter.clear();
  CHECK(filter == RotatingFilter(shape.spec()));
}

TEST_CASE("rotating: filters with equal keys but another number of rotations are not equal",
          "[rotating]") {
  const RotatingShape shape{.num_generations = 3};
  RotatingFilter filter(shape.spec());
  RotatingFilter ticked(shape.spec());
  ticked.tick();
  CHECK(filter != ticked);
  filter.tick();
  CHECK(filter == ticked);
}

TEST_CASE("rotating: the window gives the generations, whose size is rounded up to equal parts",
          "[rotating]") {
  const auto g = [](std::uint64_t window, double num_generations) {
    return rotating_settings({.capacity = window,
                              .target_false_positive_rate = 0.01,
                              .params = {{"generations", num_generations}}})
        .generation_capacity;
  };
  CHECK(g(1, 8) == 1);
  CHECK(g(2, 8) == 1);
  CHECK(g(8, 8) == 1);
  CHECK(g(9, 8) == 2);
  CHECK(g(1001, 2) == 1000);
  CHECK(g(1001, 64) == 16);
  for (std::uint64_t window = 1; window < 300; ++window) {
    for (const unsigned num_generations : {2U, 3U, 8U, 64U}) {
      const std::uint64_t capacity = generation_capacity_for(window, num_generations);
      REQUIRE((num_generations - 1) * capacity + 1 >= window);
      if (capacity > 1) REQUIRE((num_generations - 1) * (capacity - 1) + 1 < window);
    }
  }
  const Geometry geometry =
      RotatingFilter::geometry({.capacity = 100, .num_bits = 1001, .num_hashes = 3});
  CHECK(geometry == Geometry{1008, 1, 3});
  const Geometry lanes = RotatingFilter::geometry(
      {.capacity = 100, .num_bits = 8 * 512 + 1, .params = {{"generation", std::string("lanes")}}});
  CHECK(lanes == Geometry{8 * 1024, 1, 8, 512});
}

TEST_CASE("rotating: a spec without a window or with a contradiction is refused by name",
          "[rotating]") {
  const auto complaint = [](const FilterSpec& spec) {
    return message_of<ConfigError>([&] { RotatingFilter{spec}; });
  };
  const std::string no_window =
      "capacity must be given for rotating, unless generation_capacity is: the number of insert "
      "calls of the window";
  CHECK(complaint({.num_bits = 800, .num_hashes = 3}) == no_window);
  CHECK(complaint({.num_bits = 800}) == no_window);
  CHECK(complaint({.target_false_positive_rate = 0.1}) == no_window);
  CHECK(complaint({.capacity = 0, .target_false_positive_rate = 0.1}) ==
        "capacity must be at least 1, got 0");
  CHECK(complaint({.capacity = 100,
                   .target_false_positive_rate = 0.1,
                   .params = {{"generation_capacity", 3.0}}}) ==
        "generation_capacity must be at least 15 for a window of 100 insert calls, got 3");
  CHECK(
      complaint(
          {.capacity = 100, .target_false_positive_rate = 0.1, .params = {{"generations", 1.0}}}) ==
      "generations must be a whole number in [2, 64], got 1");
  CHECK(complaint({.capacity = 100,
                   .num_bits = 4096,
                   .num_hashes = 7,
                   .params = {{"generation", std::string("lanes")}}}) ==
        "num_hashes must be 8, got 7");
  using Distinct = RotatingFilter::WithProbes<DistinctProbes>;
  CHECK(message_of<ConfigError>([] {
          Distinct({.capacity = 10,
                    .target_false_positive_rate = 0.1,
                    .params = {{"generation", std::string("blocked")}}});
        }) ==
        "generation must be standard with probes distinct, got blocked, which has probes of "
        "its own");
  CHECK(message_of<ConfigError>([] {
          Distinct({.capacity = 10, .num_bits = 16, .num_hashes = 3});
        }) == "num_hashes must be at most 2, the number of cells, with distinct probes, got 3");
}

TEST_CASE("rotating: extreme windows and rates are sized or refused by a clear line",
          "[rotating]") {
  const auto settings = [](std::uint64_t window, double rate, const char* kind) {
    return rotating_settings({.capacity = window,
                              .target_false_positive_rate = rate,
                              .params = {{"generation", std::string(kind)}}});
  };
  for (const char* kind : {"standard", "blocked", "lanes"}) {
    CAPTURE(kind);
    CHECK(settings(1, 0.5, kind).whole().num_cells >= 8);
    CHECK(settings(1, 1e-14, kind).generation_capacity == 1);
    CHECK(settings(std::uint64_t{1} << 32U, 0.01, kind).whole().num_bits() > std::uint64_t{1}
                                                                                 << 35U);
  }
  const RotatingShape of_one_bit{
      .num_generations = 64, .generation_capacity = 1, .bits_per_generation = 1, .num_hashes = 64};
  RotatingFilter one_bit(of_one_bit.spec());
  one_bit.insert({1, 2});
  CHECK(one_bit.contains({3, 4}));
  CHECK(one_bit.state().conditional_false_positive_rate == 1);
  for (int i = 0; i < 64; ++i) one_bit.tick();
  CHECK_FALSE(one_bit.contains({1, 2}));
  CHECK(settings(1, 1e-30, "standard").generation_capacity == 1);
  CHECK(message_of<ConfigError>([&] { (void)settings(1, 1e-30, "lanes"); }) ==
        "target_false_positive_rate must give between 1 and 2^57 cells per generation, got 1e-30");
  CHECK(message_of<ConfigError>([&] {
          (void)settings(std::numeric_limits<std::uint64_t>::max(), 0.01, "standard");
        }).find("capacity must give at most 2^53 inserts per generation") == 0);
}

}  // namespace bloometry
