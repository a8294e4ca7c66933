#include "experiments/filter_files/filter_facts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

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

}  // namespace

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

void FilterFacts::set_expected(const std::optional<ExpectedRate>& rate) {
  expected = rate;
  const bool is_exact = rate && rate->kind == RateKind::kExact;
  expected_rate = is_exact ? std::optional(rate->rate) : std::nullopt;
  if (is_exact) return;
  why_no_expected_rate =
      rate ? rate->why_not_exact : "an exact formula is not known for this filter";
}

void FilterFacts::set_given_state(const ExpectedRate& rate) {
  given_state = rate;
  rate_given_state = rate.rate;
}

std::string contradiction_in(const FilterFacts& facts) {
  if (!facts.notes.num_inserted || facts.num_hashes == 0) return {};
  const std::uint64_t num_inserted = *facts.notes.num_inserted;
  const std::uint64_t num_ones = facts.state.num_ones;
  // An erase can only reduce the number of set cells, so the test is also valid after erases.
  if (num_inserted >= (num_ones + facts.num_hashes - 1) / facts.num_hashes) return {};
  return fmt::format("{} with {} probes each cannot set {} cells",
                     plural(num_inserted, "inserted key"), facts.num_hashes, grouped(num_ones));
}

}  // namespace bloometry
