#include "experiments/filter_files/filter_facts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "core/rates/cardinality.hpp"
#include "core/text.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

/// Returns an upper bound of the probability that a Poisson variable is at least `count`: the union
/// bound, or Chernoff's bound if that is lower.
double most_probability(double mean, double count) {
  if (count <= mean) return 1;
  if (mean == 0) return 0;
  const double united = count * std::log(mean) - std::lgamma(count + 1);
  const double chernoff = count - mean - count * std::log(count / mean);
  return std::exp(std::min(united, chernoff));
}

/// Returns the largest difference between the estimate and the number of distinct keys that chance
/// explains, with a margin for schemes with coincident indices.
double chance_of_estimate(const FilterFacts& facts) {
  return 5 * std::max(std::sqrt(*facts.estimated_num_keys), facts.estimate_stddev()) + 5;
}

/// Returns the least number of keys that set the cells: each key sets at most k, or one cell of a
/// table. Returns 0 if the stages differ in k.
std::uint64_t least_keys(const FilterFacts& facts) {
  const std::uint64_t most = facts.is_table ? 1 : facts.num_hashes;
  return most == 0 ? 0 : facts.state.num_ones / most + (facts.state.num_ones % most == 0 ? 0 : 1);
}

/// Returns whether the cells are set by more keys than a count of new keys explains. A new key that
/// tests positive does not change the filter and is not counted.
bool holds_more_than_counted(const FilterFacts& facts) {
  if (!facts.counts_new_keys) return false;
  const std::uint64_t count = *facts.notes.num_inserted;
  if (count < least_keys(facts)) return true;
  if (!facts.estimated_num_keys || !std::isfinite(*facts.estimated_num_keys)) return false;
  const double most = static_cast<double>(count) / (1 - std::min(facts.rate(), 1 - 1e-9));
  return most + chance_of_estimate(facts) < *facts.estimated_num_keys;
}

}  // namespace

double FilterFacts::estimate_stddev() const {
  if (num_hashes == 0) return std::sqrt(estimated_num_keys.value_or(0));
  constexpr double kOfBlocks = 1.22;
  return kOfBlocks *
         count_stddev(state.num_ones, num_reachable_cells.value_or(num_cells), num_hashes);
}

void FilterFacts::set_num_keys() {
  num_keys = notes.num_inserted;
  if (num_keys && holds_more_than_counted(*this)) {
    remark = fmt::format(
        "{} in the file, but its set bits are those of more: the filter is an "
        "intersection, or the count is wrong",
        plural(*num_keys, "key") + (*num_keys == 1 ? " is counted" : " are counted"));
    num_keys.reset();
    estimated_num_keys.reset();
    why_no_estimate = kWhyNoEstimateOfFewKeys;
    return;
  }
  if (num_keys && stores_copies && *num_keys > state.num_ones) {
    remark = fmt::format(
        "{} in the file, but the table has {}, so that keys were erased, or the count is wrong",
        plural(*num_keys, "insert") + (*num_keys == 1 ? " is counted" : " are counted"),
        plural(state.num_ones, "occupied cell"));
    num_keys.reset();
    why_no_estimate = kWhyNoEstimateOfErasedKeys;
    return;
  }
  if (!estimated_num_keys || !std::isfinite(*estimated_num_keys)) return;
  const double most = *estimated_num_keys + chance_of_estimate(*this);
  if (num_keys && static_cast<double>(*num_keys) <= most) return;
  if (num_keys && remark.empty()) {
    remark = fmt::format(
        "the set cells are those of about {}, so that inserts were repeated, or "
        "keys have equal hashes",
        plural(static_cast<std::uint64_t>(std::llround(*estimated_num_keys)), "distinct key"));
  }
  is_num_keys_estimated = true;
  const double least = state.num_ones > 0 ? 1 : 0;
  num_keys = static_cast<std::uint64_t>(std::llround(std::max(least, *estimated_num_keys)));
}

std::optional<std::uint64_t> FilterFacts::num_keys_left() const {
  if (!num_keys_at_target || (!estimated_num_keys && !num_keys)) return std::nullopt;
  const std::optional<double>& target = notes.target_false_positive_rate;
  if (target && rate_given_state && *rate_given_state > *target) return 0;
  const double most = static_cast<double>(*num_keys_at_target);
  const double held = estimated_num_keys.value_or(static_cast<double>(num_keys.value_or(0)));
  // The difference is exact for numbers of keys below 2^53. An infinite estimate gives 0.
  return static_cast<std::uint64_t>(std::max(0.0, most - std::round(held)));
}

std::uint64_t num_distinct_keys(const FilterFacts& facts, std::uint64_t num_inserted,
                                std::uint64_t num_new) {
  const double inserted = static_cast<double>(num_inserted);
  const double unchanged = static_cast<double>(num_inserted - num_new);
  // New keys do not change the filter if they test positive. The final rate is the highest.
  constexpr double kFalseAlarm = 1e-3;
  if (most_probability(facts.rate() * inserted, unchanged) > kFalseAlarm) return num_inserted;
  const double least = static_cast<double>(num_new);
  const double estimate = facts.estimated_num_keys.value_or(least);
  return static_cast<std::uint64_t>(std::llround(std::clamp(estimate, least, inserted)));
}

void FilterFacts::lower_to_model(std::string_view formula, std::string_view why) {
  if (expected->kind != RateKind::kModel) expected->formula = formula;
  expected->kind = RateKind::kModel;
  if (!expected->why_not_exact.empty()) expected->why_not_exact += "; ";
  expected->why_not_exact += why;
}

void FilterFacts::set_expected(const std::optional<ExpectedRate>& rate) {
  expected = rate;
  if (expected && is_num_keys_estimated) {
    lower_to_model("estimated_keys", "the number of distinct keys is estimated from the set cells");
  }
  if (expected && state.num_skipped_decrements.value_or(0) > 0) {
    lower_to_model("all_erased", "saturated counters kept their value when keys were erased");
  }
  const bool is_exact = expected && expected->kind == RateKind::kExact;
  expected_rate = is_exact ? std::optional(expected->rate) : std::nullopt;
  if (is_exact) return;
  why_no_expected_rate =
      expected ? expected->why_not_exact : "an exact formula is not known for this filter";
}

void FilterFacts::set_given_state(const ExpectedRate& rate) {
  given_state = rate;
  rate_given_state = rate.rate;
}

bool has_valid_target(const FileNotes& notes) {
  const std::optional<double>& target = notes.target_false_positive_rate;
  return !target || (*target > 0 && *target < 1);
}

std::string contradiction_in(const FilterFacts& facts) {
  if (!has_valid_target(facts.notes)) {
    return fmt::format("target_false_positive_rate must be in (0, 1), got {}",
                       shortest_text(*facts.notes.target_false_positive_rate));
  }
  if (facts.state.conditional_false_positive_rate > 1) {
    return fmt::format("the table has {}, more than it has fingerprints",
                       plural(facts.state.num_ones, "occupied cell"));
  }
  // An intersection of filters of other programs has such counts, and cannot state what it is.
  if (!facts.notes.num_inserted || facts.counts_new_keys) return {};
  const std::uint64_t num_inserted = *facts.notes.num_inserted;
  const std::uint64_t num_ones = facts.state.num_ones;
  // An erase can only reduce the number of set cells, so the test is also valid after erases.
  if (num_inserted >= least_keys(facts)) return {};
  if (facts.is_table) {
    return fmt::format("{} cannot occupy {}", plural(num_inserted, "inserted key"),
                       plural(num_ones, "cell"));
  }
  return fmt::format("{} with {} probes each cannot set {} cells",
                     plural(num_inserted, "inserted key"), facts.num_hashes, grouped(num_ones));
}

}  // namespace bloometry
