// Defines the checks that run after every step on the whole filter, and at the end of a sequence.

#include <bit>
#include <cmath>
#include <string>

#include "tests/differential/sequence.hpp"

namespace bloometry::test {
namespace {

/// Returns the number of non-zero cells among cells packed without gaps. Requires that the bits
/// after the last cell are 0.
std::uint64_t recount(std::span<const std::uint64_t> words, const Geometry& geometry) {
  std::uint64_t num_ones = 0;
  std::uint64_t last_cell = ~std::uint64_t{0};
  for (std::uint64_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
      const std::uint64_t bit = 64 * w + static_cast<std::uint64_t>(std::countr_zero(left));
      const std::uint64_t cell = bit / geometry.cell_bits;
      num_ones += cell != last_cell ? 1 : 0;
      last_cell = cell;
    }
  }
  require(num_ones == 0 || last_cell < geometry.num_cells, "a bit is set past the last cell");
  return num_ones;
}

/// Returns the expected number of non-zero cells of n distinct keys (theory 1.2).
double expected_ones(ProbeModel model, double num_keys, const Geometry& geometry) {
  const auto m = static_cast<double>(geometry.num_cells);
  const double k = geometry.num_hashes;
  const double log_missed =
      model == ProbeModel::kWithReplacement ? k * std::log1p(-1 / m) : std::log1p(-k / m);
  return -m * std::expm1(num_keys * log_missed);
}

}  // namespace

void Sequence::check_all() {
  require_equal_filters("batches and single calls, or a step and its equivalent, left other cells");
  check_state();
  filter_->check_lending();
}

void Sequence::check_state() {
  const FilterState state = filter_->state();
  if (can_.assign) require(state == twin_->state(), "states of equal filters differ");
  const double rate = state.conditional_false_positive_rate;
  require(rate >= 0 && rate <= 1, "the rate given the state is not in [0, 1]");
  const bool grows = configuration_.scheme.can("grow");
  if (!grows) {
    require(state.num_bits == geometry_.num_bits(), "num_bits differs from the spec");
    require(state.num_ones <= geometry_.num_cells, "more cells are set than there are");
    require(has_own_rule_ || (state.num_ones == geometry_.num_cells) == (rate == 1),
            "the rate given the state is 1 if and only if all cells are set");
  }
  require(state.num_counters.value_or(geometry_.num_cells) == geometry_.num_cells,
          "num_counters differs from the spec");
  require(state.num_saturated.value_or(0) <= state.num_ones, "more cells saturated than are set");
  require(model_.num_held() == 0 || !model_.promises_members() || model_.forgets() ||
              state.num_ones > 0,
          "keys are held, but no cell is set");
  if (can_.assign) check_counts(state);
  check_words(state);
  check_estimate(state);
  remember(state.num_ones);
  remember(std::bit_cast<std::uint64_t>(rate));
}

/// Compares the filter's counts of refused erases and stored keys with the counts of the sequence
/// since the last clear.
void Sequence::check_counts(const FilterState& state) {
  require(state.num_refused_erases.value_or(num_refused_) == num_refused_,
          "num_refused_erases is not the number of refused erases");
  const auto policy = shape_.spec.params.find("insert_policy");
  const bool is_blind =
      policy != shape_.spec.params.end() && policy->second == ParamValue(std::string("blind"));
  const std::uint64_t num_stored = is_blind ? num_inserts_ : num_new_;
  require(state.num_stored.value_or(num_stored) == num_stored,
          "num_stored is not the number of keys stored");
}

void Sequence::check_words(const FilterState& state) {
  // A semi-sorted bucket contains a code of its cells and not one cell after the other.
  const auto semi_sorting = shape_.spec.params.find("semi_sorting");
  const bool is_coded =
      semi_sorting != shape_.spec.params.end() && semi_sorting->second == ParamValue(1.0);
  if (filter_->words().empty() || is_coded) return;
  require(recount(filter_->words(), geometry_) == state.num_ones,
          "num_ones differs from a recount of the words");
}

/// Compares two numbers of set cells: the number implied by the estimate, and the number expected
/// for the exact number of keys. Empty cells are negatively associated, so Bernstein's bound holds.
/// The false-alarm probability of the check is 1e-12. The check omits small filters. The check also
/// omits filters with blocks, because the loads of blocks are unequal.
void Sequence::check_estimate(const FilterState& state) {
  if (!can_.estimate_count) return;
  const double estimate = filter_->estimate_count();
  require(estimate >= 0, "estimate_count is negative or no number");
  const bool grows = configuration_.scheme.can("grow");
  if (!grows) {
    require(std::isinf(estimate) == (state.num_ones == geometry_.num_cells),
            "estimate_count is infinite if and only if all cells are set");
  }
  if (grows || geometry_.block_cells > 1 || geometry_.num_cells < 4096 ||
      !model_.determines_cells(state.num_skipped_decrements.value_or(0)) ||
      !configuration_.scheme.scheme->follows_model) {
    return;
  }
  const ProbeModel model = configuration_.scheme.scheme->model;
  const auto m = static_cast<double>(geometry_.num_cells);
  const double mean = expected_ones(model, static_cast<double>(model_.num_held()), geometry_);
  const double log_alarm = std::log(2 / 1e-12);
  const double variance = mean * (1 - mean / m);
  const double most_off =
      log_alarm / 3 + std::sqrt(log_alarm * log_alarm / 9 + 2 * log_alarm * variance);
  // The difference between the implied and the expected number of set cells.
  const double off =
      std::isinf(estimate) ? m - mean : expected_ones(model, estimate, geometry_) - mean;
  require(std::abs(off) <= most_off, "estimate_count is further off than it may be");
}

/// Compares the filter with a new filter built from the same keys. Both filters must be equal if
/// the model determines the cells. After an intersect, the tested filter may have more bits set
/// than the new filter, and must contain all bits of the new filter.
void Sequence::check_rebuilt() {
  if (configuration_.scheme.can("grow") || !model_.promises_members()) return;
  if (configuration_.scheme.variant->depends_on_order) return;  // may even be full in another order
  const std::unique_ptr<TestedFilter> built = built_of(model_.keys());
  if (determines_cells()) {
    require(built->equals(*filter_), "the cells are not those of a filter built from its keys");
  } else if (model_.kind() == Model::Kind::kSet) {
    built->merge(*filter_);
    require(built->equals(*filter_), "bits of a key are missing");
  }
}

bool Sequence::determines_cells() const {
  if (configuration_.scheme.variant->depends_on_order) return false;
  if (model_.kind() == Model::Kind::kSet) return model_.determines_cells(0);
  return model_.determines_cells(filter_->state().num_skipped_decrements.value_or(0));
}

void Sequence::require_equal_filters(const char* what) const {
  require(filter_->equals(*twin_), what);
}

std::unique_ptr<TestedFilter> Sequence::make(const FilterSpec& spec) const {
  return configuration_.make(spec, hash_seed_);
}

std::unique_ptr<TestedFilter> Sequence::built_of(const Keys& keys) const {
  std::unique_ptr<TestedFilter> filter = make(shape_.spec);
  filter->insert(keys);
  return filter;
}

}  // namespace bloometry::test
