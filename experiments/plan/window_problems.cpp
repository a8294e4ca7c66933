#include "experiments/plan/window_problems.hpp"

#include <fmt/core.h>
#include <string>

#include "experiments/unit/key_lifetime.hpp"

namespace bloometry {
namespace {

constexpr const char* kWindowOfFilter = "the window of the filter";

/// Adds a problem if the value of a field is above the limit.
/// @param limit what the limit is
void require_at_most(const std::string& field, std::uint64_t value, std::uint64_t most,
                     const char* limit, std::vector<Problem>& problems) {
  if (value <= most) return;
  problems.push_back(
      {.field = field, .text = fmt::format("must be at most {}, {}, got {}", most, limit, value)});
}

std::string window_field(const char* name) {
  return std::string(kWindowPrefix) + name;
}

std::vector<Problem> problems_without_window(const Window& window, std::uint64_t most_keys) {
  std::vector<Problem> problems;
  if (!window.num_inserts) return problems;
  require_at_most("num_keys", most_keys, *window.num_inserts, kWindowOfFilter, problems);
  for (Problem& problem : problems) {
    problem.text += "; add \"window\" to measure a filter that forgets keys";
  }
  return problems;
}

}  // namespace

std::vector<Problem> window_problems(const Window& window,
                                     const std::optional<StreamWindow>& stream,
                                     std::uint64_t most_keys) {
  if (!stream) return problems_without_window(window, most_keys);
  std::vector<Problem> problems;
  if (!stream->is_in_ticks()) {
    if (!window.num_inserts) return problems;
    require_at_most(window_field("size"), stream->size, *window.num_inserts, kWindowOfFilter,
                    problems);
    return problems;
  }
  require_at_most(window_field("size"), stream->size, window.num_ticks, kWindowOfFilter, problems);
  const KeyLifetime lifetime = lifetime_of(window, false, 1);
  if (!lifetime.generation_capacity) return problems;
  require_at_most(window_field("inserts_per_tick"), stream->inserts_per_tick,
                  *lifetime.generation_capacity, "the insert calls of a generation", problems);
  return problems;
}

}  // namespace bloometry
