#include "core/file/generation_check.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace bloometry {
namespace {

std::string out_of_range(const std::string& field, const std::string& allowed,
                         std::uint64_t value) {
  return "field '" + field + "' must be " + allowed + ", got " + std::to_string(value);
}

std::string at_most(std::uint64_t most) {
  return "at most " + std::to_string(most);
}

/// Checks the number of inserts of each generation.
std::string impossible_inserts(const GenerationCounts& counts, const GenerationClock& clock) {
  const std::uint64_t most = clock.rotates_on_inserts()
                                 ? clock.capacity()
                                 : std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  for (std::size_t age = 0; age < counts.num_inserted.size(); ++age) {
    const std::uint64_t num = counts.num_inserted[age];
    const bool is_open = age <= counts.num_rotations;
    if (num > (is_open ? most : 0)) {
      return out_of_range("generations",
                          at_most(is_open ? most : 0) + " in generation " + std::to_string(age),
                          num);
    }
  }
  return "";
}

}  // namespace

std::string impossible_counts(const GenerationCounts& counts, const GenerationClock& clock) {
  if (counts.num_inserted.size() != clock.num_generations()) {
    return "field 'generations' must have " + std::to_string(clock.num_generations()) +
           " numbers, got " + std::to_string(counts.num_inserted.size());
  }
  constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (counts.num_rotations > kMost) {
    return out_of_range("num_rotations", at_most(kMost), counts.num_rotations);
  }
  if (counts.num_ticks > counts.num_rotations ||
      (!clock.rotates_on_inserts() && counts.num_ticks != counts.num_rotations)) {
    const std::string rotations = std::to_string(counts.num_rotations);
    return out_of_range(
        "num_ticks",
        (clock.rotates_on_inserts() ? "at most " : "") + rotations + ", the number of rotations",
        counts.num_ticks);
  }
  if (std::string why = impossible_inserts(counts, clock); !why.empty()) return why;
  std::uint64_t num_overfull = 0;
  for (const std::uint64_t num : counts.num_inserted) num_overfull += num > clock.capacity();
  const std::uint64_t num_closed = clock.rotates_on_inserts() ? 0 : counts.num_rotations + 1;
  if (counts.num_overfull < num_overfull || counts.num_overfull > num_closed) {
    return out_of_range(
        "num_overfull_generations",
        "in [" + std::to_string(num_overfull) + ", " + std::to_string(num_closed) + "]",
        counts.num_overfull);
  }
  return "";
}

}  // namespace bloometry
