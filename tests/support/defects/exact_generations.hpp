#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/any_filter/any_filter.hpp"
#include "core/contract/window.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry::test {

/// A defect of ExactGenerations.
enum class GenerationDefect {
  kNone,
  kClosesAfterInsert,  ///< a generation closes after insert g, and not before insert g + 1
  kKeepsOneMore,       ///< the keys of one generation too many are found
  kForgetsRepeats,     ///< a repeated insert does not write its key into the newest generation
};

/// A filter that forgets, without false positives: B generations of g inserts each, which are sets
/// of digests. The spec has the parameters `generations` (B) and `generation_capacity` (g). The
/// filter reports the name of `standard`, and the state of an empty filter.
template <GenerationDefect kDefect = GenerationDefect::kNone>
class ExactGenerations {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return StandardFilter::geometry(spec);
  }

  [[nodiscard]] static Window window_of(const FilterSpec& spec) {
    const std::uint64_t num_ticks = number_of(spec, "generations") - 1;
    return {.num_inserts = num_ticks * number_of(spec, "generation_capacity") + 1,
            .num_ticks = num_ticks};
  }

  explicit ExactGenerations(const FilterSpec& spec)
      : num_bits_(*spec.num_bits),
        num_generations_(number_of(spec, "generations")),
        capacity_(number_of(spec, "generation_capacity")) {
    clear();
  }

  bool insert(const Digest& digest) noexcept {
    if (num_inserted_ == capacity_) tick();
    const bool is_new = !contains(digest);
    if (is_new || kDefect != GenerationDefect::kForgetsRepeats) {
      generations_.front().insert({digest.lo, digest.hi});
    }
    ++num_inserted_;
    if (kDefect == GenerationDefect::kClosesAfterInsert && num_inserted_ == capacity_) tick();
    return is_new;
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return age(digest).has_value();
  }

  [[nodiscard]] std::optional<std::uint64_t> age(const Digest& digest) const noexcept {
    std::uint64_t age = 0;
    for (const auto& generation : generations_) {
      if (generation.contains({digest.lo, digest.hi})) return age;
      ++age;
    }
    return std::nullopt;
  }

  void tick() noexcept {
    generations_.emplace_front();
    const std::uint64_t num_more = kDefect == GenerationDefect::kKeepsOneMore ? 1 : 0;
    if (generations_.size() > num_generations_ + num_more) generations_.pop_back();
    num_inserted_ = 0;
  }

  void clear() {
    generations_.assign(1, {});
    num_inserted_ = 0;
  }

  [[nodiscard]] Window window() const noexcept {
    return {.num_inserts = (num_generations_ - 1) * capacity_ + 1,
            .num_ticks = num_generations_ - 1};
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_bits_; }

  [[nodiscard]] FilterState state() const noexcept { return {.num_bits = num_bits_}; }

 private:
  static std::uint64_t number_of(const FilterSpec& spec, const char* name) {
    return static_cast<std::uint64_t>(std::get<double>(spec.params.at(name)));
  }

  std::uint64_t num_bits_;
  std::uint64_t num_generations_;
  std::uint64_t capacity_;
  std::deque<std::set<std::pair<std::uint64_t, std::uint64_t>>> generations_;  // newest first
  std::uint64_t num_inserted_ = 0;  // insert calls of the newest generation
};

static_assert(ForgettingFilter<ExactGenerations<>>);

/// Returns the spec of ExactGenerations. The number of bits is only reported.
[[nodiscard]] inline FilterSpec spec_of_generations(std::uint64_t num_generations,
                                                    std::uint64_t capacity) {
  return {.num_bits = 64,
          .num_hashes = 1,
          .params = {{"generations", static_cast<double>(num_generations)},
                     {"generation_capacity", static_cast<double>(capacity)}}};
}

}  // namespace bloometry::test
