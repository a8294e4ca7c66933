#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/hash/digest.hpp"
#include "core/lane_stage/lane_stage.hpp"
#include "tests/variants/rotating_specs.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/rotating/rotating_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry::test {

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

[[nodiscard]] inline std::uint64_t drawn(std::mt19937_64& random, std::uint64_t least,
                                         std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}

[[nodiscard]] inline RotatingShape drawn_shape(std::mt19937_64& random) {
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
[[nodiscard]] inline std::vector<Event> drawn_events(std::mt19937_64& random,
                                                     std::size_t num_events,
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

inline void apply(const Event& event, auto& filter) {
  if (event.key) {
    filter.insert(*event.key);
  } else {
    filter.tick();
  }
}

/// Returns the number of insert calls among the events in [first, last).
[[nodiscard]] inline std::uint64_t num_inserts(std::span<const Event> events) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(events, [](const Event& event) { return event.key.has_value(); }));
}

}  // namespace bloometry::test
