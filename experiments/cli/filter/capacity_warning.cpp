#include "experiments/cli/filter/capacity_warning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <numbers>
#include <string_view>

#include "core/contract/params.hpp"
#include "core/rates/cardinality.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

/// Returns the number of inserts for which a generation is sized.
std::uint64_t generation_capacity(const FilterFacts& facts) {
  return static_cast<std::uint64_t>(number_param(facts.params, "generation_capacity"));
}

/// Prints a warning if the newest generation of a filter that forgets has received more inserts
/// than it is sized for. Only generations that inserts do not close can do so.
void warn_of_overfull_generation(const FilterFacts& facts) {
  const std::uint64_t num_inserted = facts.generations->num_inserted.front();
  const std::uint64_t capacity = generation_capacity(facts);
  if (num_inserted <= capacity) return;
  print_message(
      fmt::format("warning: {} inserts are in a generation that is sized for {}; the filter's rate "
                  "is {} now; `bloometry filter tick` closes the generation",
                  grouped(num_inserted), grouped(capacity), rounded(facts.rate(), 4)));
}

/// Returns the estimated number of keys, and at most most_keys.
std::uint64_t num_held(const FilterFacts& facts, std::optional<std::uint64_t> most_keys) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return clipped_count(*facts.estimated_num_keys, 0, most_keys.value_or(kMost));
}

}  // namespace

std::uint64_t num_overfull_generations(const FilterFacts& facts) {
  const std::uint64_t capacity = generation_capacity(facts);
  return static_cast<std::uint64_t>(std::ranges::count_if(
      facts.generations->num_inserted, [&](std::uint64_t count) { return count > capacity; }));
}

// The programs round m/n ln 2 up or to the nearest number, so that it exceeds k-1.
std::optional<std::uint64_t> largest_capacity(const FilterFacts& facts) {
  constexpr std::array<std::string_view, 4> kOthers = {BloometryFilter::kFormat, "redisbloom",
                                                       "parquet_sbbf", "php3"};
  if (facts.generations) return std::nullopt;  // more keys replace the older ones
  // A filter of redisbloom grows, too, but the capacity in its file is that of its present links.
  if (facts.grows && facts.format == BloometryFilter::kFormat) return std::nullopt;
  if (facts.notes.capacity) return facts.notes.capacity;
  if (std::ranges::find(kOthers, facts.format) != kOthers.end() || facts.num_hashes < 2) {
    return std::nullopt;
  }
  const double cells_per_key = (facts.num_hashes - 1) / std::numbers::ln2;
  return static_cast<std::uint64_t>(static_cast<double>(facts.num_cells) / cells_per_key);
}

bool is_overfull(const FilterFacts& facts, std::optional<std::uint64_t> most_keys) {
  if (facts.generations) return num_overfull_generations(facts) > 0;
  const std::optional<std::uint64_t> capacity = largest_capacity(facts);
  if (!capacity || !facts.estimated_num_keys) return false;
  const std::uint64_t num_keys = num_held(facts, most_keys);
  if (num_keys <= *capacity) return false;
  const double chance = 5 * facts.estimate_stddev();
  return !std::isfinite(*facts.estimated_num_keys) ||
         static_cast<double>(num_keys) > static_cast<double>(*capacity) + chance;
}

std::optional<std::uint64_t> sum_of(const std::optional<std::uint64_t>& a,
                                    const std::optional<std::uint64_t>& b) {
  if (!a || !b || *b > std::numeric_limits<std::uint64_t>::max() - *a) return std::nullopt;
  return *a + *b;
}

void warn_of_held_keys(const FilterFacts& facts, std::optional<std::uint64_t> most_keys) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (facts.generations) return warn_of_overfull_generation(facts);
  if (!is_overfull(facts, most_keys)) return;
  const std::uint64_t num_keys = num_held(facts, most_keys);
  if (num_keys == kMost) return warn_of_overfill(facts, kMost, "too many keys are in");
  warn_of_overfill(facts, num_keys, fmt::format("about {} are in", plural(num_keys, "key")));
}

void warn_of_overfill(const FilterFacts& facts, std::uint64_t num_keys,
                      const std::string& keys_are) {
  if (facts.generations) return warn_of_overfull_generation(facts);
  const std::optional<std::uint64_t> capacity = largest_capacity(facts);
  if (!capacity || num_keys <= *capacity) return;
  print_message(fmt::format(
      "warning: {} a filter that is sized for {}; the filter's rate is {} now", keys_are,
      facts.notes.capacity ? grouped(*capacity)
                           : fmt::format("at most {} by its m and k", grouped(*capacity)),
      rounded(facts.rate(), 4)));
}

}  // namespace bloometry
